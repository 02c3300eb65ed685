/**
 * How the page of consent looks beyond the plain stylesheet. It is read on a phone, by somebody who wants to get on: the
 * whole decision stands in a screen and a half, and what few people touch is folded.
 */
export const CONSENT_STYLE = `form.consent{max-width:none;gap:0;margin:.8rem 0}
.consent fieldset{margin:.9rem 0 0;gap:.5rem}
.consent fieldset:first-child{margin-top:0}
.consent legend{margin:0 0 .3rem;font-size:1rem;line-height:1.4;font-weight:650}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:.6rem}
.consent .card,.consent .row{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.65rem;align-items:start;
font-weight:400;font-size:1rem;line-height:1.4;cursor:pointer}
.consent .card{border:1px solid var(--line);border-radius:8px;padding:.55rem .65rem;gap:.5rem;background:var(--sheet)}
.consent .card:has(:checked){border-color:var(--red);box-shadow:inset 0 0 0 1px var(--red)}
.card input[type=radio]{margin-top:.15rem}
.rows{border:1px solid var(--line);border-radius:8px;background:var(--sheet);overflow:hidden}
.rows>*{margin:0;padding:.5rem .75rem}
.rows>*+*{border-top:1px solid var(--line)}
.rows .row:hover{background:var(--wash)}
.rows>details{padding:0}
.rows>details>summary{padding:.5rem .75rem}
.rows .list{max-height:15rem;overflow-y:auto;border-top:1px solid var(--line)}
.rows .list>*,.rows .more>*{margin:0;padding:.5rem .75rem}
.rows .more>*{border-top:1px solid var(--line)}
.row strong+.small,.fine .danger,.card strong+.small{display:block;line-height:1.35}
.row .num{white-space:nowrap}
.row input[type=checkbox]:not(.switch){margin-top:.15rem}
.danger{color:var(--amber)}
.danger::before{content:"⚠ "}
input.switch[type=checkbox]{appearance:none;flex:none;width:2.3rem;height:1.35rem;margin:.1rem 0 0;border-radius:99px;
background:var(--soft);position:relative;cursor:pointer;transition:background .15s}
input.switch::after{content:"";position:absolute;top:.15rem;left:.15rem;width:1.05rem;height:1.05rem;border-radius:50%;
background:#fff;box-shadow:0 1px 2px #0005;transition:left .15s}
input.switch:checked{background:var(--green)}
input.switch:checked::after{left:1.1rem}
.field>span{display:block;font-weight:600;font-size:.925rem;margin-bottom:.4rem}
.chips{display:flex;flex-wrap:wrap;gap:.4rem}
.consent .chip{display:inline-flex;gap:.4rem;align-items:center;border:1px solid var(--line);border-radius:99px;
padding:.2rem .75rem .2rem .5rem;font-weight:400;font-size:.875rem;background:var(--sheet);cursor:pointer}
.consent .chip:has(:checked){border-color:var(--soft)}
.chip input[type=checkbox]{margin:0;width:.95rem;height:.95rem}
.consent .aside{grid-template-columns:1fr auto;align-items:center}
.consent .aside select{width:auto;padding:.4rem .6rem}
.consent .pair input{padding:.45rem .65rem}
.folded{margin:0}
.folded>summary{padding:.15rem 0}
.folded[open]>:not(summary){margin-top:.75rem}
.folded>.rows+*{margin-top:.75rem}
.consent .note{margin:.7rem 0 0;font-size:.925rem;line-height:1.45}
.consent .note ul{margin:.2rem 0}
.consent .decide{margin:1.1rem 0 0;padding:1rem 0 0;border-top:1px solid var(--line)}
form.consent:has(#mode-test:checked) .of-live,form.consent:has(#mode-live:checked) .of-test{display:none}
@media(max-width:39.99rem){body:has(form.consent) .bar>div{min-height:3.25rem}
main.wide:has(form.consent){padding-top:1.1rem;padding-bottom:1.25rem}
main:has(form.consent) h1{font-size:1.4rem}
main:has(form.consent) .agent{margin:.8rem 0;padding:.65rem .9rem}
main:has(form.consent) .agent .name{font-size:1.15rem}}
`
