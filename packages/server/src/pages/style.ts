/**
 * The stylesheet of the hosted pages, inlined: a page is one request, with no script and no font to wait for.
 * The accent is the red of the box that the law puts around the RUT and the folio of a printed document.
 */

/** The colours of either scheme. A page that lets its reader choose names them once more. */
export const LIGHT =
  '--paper:#fdfcfa;--sheet:#fff;--ink:#1b1a18;--soft:#65615a;--line:#e5e1d9;--wash:#f5f2ec;' +
  '--red:#b3261e;--red-wash:#fbeeec;--green:#1f6b3a;--blue:#1d4f91;--amber:#8a5a00'
export const DARK =
  '--paper:#151412;--sheet:#1c1b18;--ink:#ece9e3;--soft:#a39d92;--line:#33302b;' +
  '--wash:#211f1c;--red:#ff8a80;--red-wash:#2f1d1b;--green:#7fd19b;--blue:#8fbcf5;--amber:#e3b25a'

/** What every page needs, and all that a message, an error or a small form does. */
export const BASE_STYLE = `
:root{color-scheme:light dark;${LIGHT};
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
--mono:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
@media(prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:3.5rem}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 var(--sans)}
a{color:inherit;text-decoration-color:var(--red);text-decoration-thickness:1px;text-underline-offset:.2em}
a:hover{color:var(--red)}
:focus-visible{outline:2px solid var(--red);outline-offset:2px;border-radius:2px}
h1,h2,h3{line-height:1.2;letter-spacing:-.015em;margin:0;text-wrap:balance}
h1{font-size:clamp(1.75rem,1.2rem + 2.4vw,2.6rem);font-weight:680}
h2{font-size:1.35rem;font-weight:650;margin-top:3rem}
h3{font-size:1.05rem;font-weight:650;margin-top:1.75rem}
h4{font-size:.875rem;font-weight:600;color:var(--soft);margin:1.25rem 0 .5rem}
h4+.table{margin-top:0}
p,ul,ol,dl{margin:.75rem 0}
p,li,dd{max-width:68ch;text-wrap:pretty;overflow-wrap:break-word}
li{margin:.25rem 0}
.lead{font-size:1.15rem;color:var(--soft);max-width:58ch}
.soft{color:var(--soft)}
.small{font-size:.875rem}
code,kbd,pre,.mono{font-family:var(--mono);font-size:.9em}
code{background:var(--wash);border-radius:3px;padding:.1em .3em;overflow-wrap:break-word}
pre{background:var(--wash);border:1px solid var(--line);border-radius:6px;padding:1rem 1.1rem;overflow-x:auto;
line-height:1.55;font-size:.85rem;margin:1rem 0;tab-size:2}
pre code{background:none;padding:0;font-size:1em;overflow-wrap:normal}
hr{border:0;border-top:1px solid var(--line);margin:2.5rem 0}
.bar{border-bottom:1px solid var(--line)}
.bar>div,.wide{max-width:72rem;margin:0 auto;padding:0 1.25rem}
.bar>div{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;min-height:3.75rem;padding-top:.5rem;
padding-bottom:.5rem}
.brand{display:inline-flex;align-items:center;gap:.55rem;font-weight:700;letter-spacing:-.02em;font-size:1.1rem;
text-decoration:none;margin-right:auto}
.brand svg{display:block;width:1.35rem;height:1.35rem;fill:var(--red)}
.bar nav{display:flex;flex-wrap:wrap;gap:.1rem clamp(.8rem,3vw,1.25rem);font-size:.9rem}
.bar nav a{text-decoration:none;color:var(--soft);padding:.2rem 0}
.bar nav a:hover,.bar nav a[aria-current]{color:var(--ink);text-decoration:underline;
text-decoration-color:var(--red);text-decoration-thickness:2px;text-underline-offset:.4em}
main.wide{padding-top:2.75rem;padding-bottom:4rem;min-height:70vh}
.narrow main.wide{max-width:46rem}
footer{border-top:1px solid var(--line);color:var(--soft);font-size:.875rem}
footer .wide{padding-top:1.25rem;padding-bottom:2.5rem;display:flex;flex-wrap:wrap;gap:.25rem 1.5rem}
footer a{color:inherit}
.facts{display:grid;gap:.1rem 1.5rem;margin:1.5rem 0}
.facts dt{color:var(--soft)}
.facts dd{margin:0 0 .6rem;overflow-wrap:anywhere}
@media(min-width:40rem){.facts{grid-template-columns:max-content minmax(0,1fr)}}
.note{border-left:3px solid var(--red);background:var(--red-wash);padding:.75rem 1rem;border-radius:0 6px 6px 0}
.note p{margin:0}
form{display:grid;gap:1rem;margin:1.5rem 0;max-width:30rem}
fieldset{display:grid;gap:.8rem;margin:0 0 1.25rem;padding:0;border:0}
legend{margin-bottom:.6rem;padding:0;font-weight:600}
label{display:grid;gap:.3rem;font-weight:600;font-size:.925rem}
label.tick{grid-template-columns:auto 1fr;gap:.6rem;align-items:start;font-weight:400;font-size:1rem}
input:not([type=checkbox]):not([type=radio]),select,textarea{font:inherit;color:inherit;background:var(--sheet);
border:1px solid var(--soft);border-radius:6px;padding:.6rem .75rem;width:100%}
input[type=checkbox],input[type=radio]{accent-color:var(--red);width:1.1rem;height:1.1rem;margin:.25rem 0 0}
button,.button{font:inherit;font-weight:600;color:#fff;background:#b3261e;border:0;border-radius:6px;
padding:.7rem 1.25rem;cursor:pointer;justify-self:start;text-decoration:none;display:inline-block}
button:hover,.button:hover{background:#8f1d17;color:#fff}
button.quiet,.button.quiet{background:none;color:var(--ink);border:1px solid var(--line)}
button.quiet:hover,.button.quiet:hover{border-color:var(--ink)}
.pick{position:relative;display:flex;align-items:center;gap:.75rem;border:1px solid var(--soft);border-radius:6px;
background:var(--sheet);padding:.4rem .5rem;font-weight:400;cursor:pointer}
.pick:focus-within{outline:2px solid var(--red);outline-offset:2px}
.choose{flex:none;border:1px solid var(--line);border-radius:4px;background:var(--wash);padding:.25rem .75rem;font-weight:600}
.pick input[type=file]:not(:disabled){border:0;padding:0;background:none;min-width:0;outline:0;cursor:pointer}
.pick input::file-selector-button{display:none}
.pick input:invalid{position:absolute;inset:0;opacity:0}
.pick input:valid+.none{display:none}
.wrong{margin:-.6rem 0 0;color:var(--red);font-weight:600;font-size:.925rem}
input[aria-invalid]:not([type=checkbox]):not([type=radio]),textarea[aria-invalid],.pick:has([aria-invalid]){border-color:var(--red);
box-shadow:inset 0 0 0 1px var(--red)}
label>input:not([type=checkbox]):not([type=radio]),label>select,label>textarea,label>.small{font-weight:400}
h1+.note{margin-top:1.25rem}
.note+h1{margin-top:1.75rem}
@media print{.bar nav,footer{display:none}main.wide{min-height:0;padding-bottom:0}body{background:#fff;color:#000}}
`

/** Tables, folded parts and the stamp: of the documentation and of the pages with figures. */
export const TABLE_STYLE = `.table{overflow-x:auto;overscroll-behavior-x:contain;margin:1.25rem 0;border:1px solid var(--line);border-radius:6px;background:var(--sheet)}
table{border-collapse:collapse;width:100%;font-size:.9rem;line-height:1.45}
th,td{text-align:left;vertical-align:top;padding:.6rem .9rem;border-bottom:1px solid var(--line)}
tr:last-child>td{border-bottom:0}
th{font-weight:600;font-size:.8rem;color:var(--soft);white-space:nowrap;background:var(--wash)}
td:first-child{white-space:nowrap}
td:nth-child(n+3):last-child{min-width:13rem}
td strong{font-size:.8rem;font-weight:600;color:var(--red)}
td.num{text-align:left;font-variant-numeric:tabular-nums;white-space:nowrap}
details{margin:.75rem 0}
summary{cursor:pointer;color:var(--soft);font-size:.9rem}
summary:hover{color:var(--ink)}
.stamp{border:3px solid var(--red);color:var(--red);text-align:center;font-weight:700;padding:1.1rem 1rem;
letter-spacing:.01em;line-height:1.7;max-width:17rem;width:100%;background:var(--sheet)}
.stamp span{display:block}
`

export const STYLE = `${BASE_STYLE}${TABLE_STYLE}.paper{background:var(--sheet);border:1px solid var(--line);border-radius:8px;padding:clamp(1.1rem,4vw,2rem);
margin:1.5rem 0;box-shadow:0 1px 2px #0000000f,0 8px 24px #0000000a}
.paper .head{display:grid;gap:1.25rem;align-items:start}
.paper .stamp{max-width:none;padding:.7rem .9rem;line-height:1.6;font-size:.95rem}
.paper .from{font-weight:680;font-size:1.15rem;line-height:1.3;margin:0}
.paper .facts{margin:1.25rem 0;grid-template-columns:max-content minmax(0,1fr);gap:.1rem 1.1rem}
.state{display:flex;gap:.6rem;align-items:baseline;border-radius:6px;padding:.6rem .9rem;margin:1.25rem 0;
background:var(--wash);max-width:none;font-weight:600}
.state::before{content:"";flex:none;width:.6rem;height:.6rem;border-radius:50%;background:currentColor}
.state.good{color:var(--green)}.state.wait{color:var(--amber)}.state.bad{color:var(--red)}
.lines,.totals{list-style:none;padding:0;margin:1.25rem 0;font-size:.95rem}
.lines li,.totals>div{display:flex;justify-content:space-between;gap:1.25rem;align-items:baseline;max-width:none;
margin:0;padding:.5rem 0}
.lines li{border-top:1px solid var(--line)}
.lines li>:first-child{overflow-wrap:anywhere}
.num{font-variant-numeric:tabular-nums;white-space:nowrap}
.totals{border-top:1px solid var(--line);padding-top:.5rem}
.totals>div{padding:.2rem 0}
.totals dt{color:var(--soft)}
.totals dd{margin:0}
.totals .total{border-top:2px solid var(--ink);margin-top:.5rem;padding-top:.6rem;font-size:1.25rem;font-weight:700}
.totals .total dt{color:inherit}
.paper>:last-child{margin-bottom:0}
.actions{display:grid;grid-template-columns:1fr 1fr;gap:.6rem;margin:1.25rem 0 2rem;max-width:none}
.actions .button{justify-self:stretch;text-align:center;border:1px solid #b3261e;padding-inline:.5rem}
.actions :first-child{grid-column:1/-1}
.actions .quiet{border-color:var(--line)}
@media(min-width:40rem){.paper .head{grid-template-columns:minmax(0,1fr) 16rem}.actions{display:flex}.actions .button{padding-inline:1.25rem}}
summary.line,div.line{display:grid;grid-template-columns:2.9rem minmax(0,1fr) max-content;gap:0 .75rem;
align-items:baseline;padding:.45rem 0;border-top:1px solid var(--line);color:inherit;font-size:.95rem}
summary.line{list-style:none}
summary.line::-webkit-details-marker{display:none}
summary.line .code::before{content:"▸";float:left;color:var(--red)}
details[open]>summary.line .code::before{content:"▾"}
summary.line:hover{background:var(--wash)}
.form details{margin:0}
.form h2{margin:2.25rem 0 .6rem;font-size:1.1rem}
.line .code{color:var(--soft);font-family:var(--mono);font-size:.8rem;text-align:right}
.line .small{display:block;font-weight:400}
.line.sum{border-top:2px solid var(--ink);font-weight:700}
.line.nil{color:var(--soft)}
.behind{margin:.25rem 0 1rem}
.behind .table{margin:0}
.behind table{font-size:.8rem}
.behind th,.behind td{padding:.35rem .55rem}
.behind td:nth-child(2){white-space:normal;min-width:7rem}
.behind td:last-child{min-width:0}
.behind .soft{display:block;white-space:nowrap}
.behind .num{text-align:right;white-space:nowrap}
.figures{display:grid;grid-template-columns:1fr 1fr;margin:1.5rem 0;border:1px solid var(--line);border-radius:8px;
background:var(--sheet);overflow:hidden}
.figures>div{padding:.8rem 1.1rem;border-left:1px solid var(--line);border-top:1px solid var(--line);margin:-1px 0 0 -1px}
.figures dt{color:var(--soft);font-size:.85rem}
.figures dd{margin:0;font-size:1.15rem;font-weight:650}
.figures .main{grid-column:1/-1}
.figures .main dd{color:var(--red);font-size:1.6rem}
.note ul{margin:0;padding-left:1.1rem}
@media(max-width:39.99rem){.figures>:last-child{grid-column:1/-1}.behind table{font-size:.75rem}
.behind th,.behind td{padding:.3rem .35rem}.behind td:nth-child(2){min-width:5rem}}
@media(min-width:40rem){.figures{grid-template-columns:1.35fr 1fr 1fr 1fr}.figures .main{grid-column:auto}
.figures .main dd{font-size:1.35rem}}
.agent{border:1px solid var(--line);border-left:3px solid var(--red);border-radius:6px;background:var(--sheet);
padding:.9rem 1.1rem;margin:1.25rem 0}
.agent p{margin:.2rem 0}
.agent .name{font-size:1.3rem;font-weight:680;line-height:1.3;overflow-wrap:anywhere}
form.acts,form.filters{display:flex;flex-wrap:wrap;gap:.6rem;align-items:end;max-width:none;margin:1rem 0}
form.acts p{margin:0 auto 0 0}
form.filters label{flex:1 1 12rem}
@media(max-width:39.99rem){.certification .facts{grid-template-columns:1fr}.certification .facts dt{font-size:.85rem}}
.decide{display:flex;gap:.75rem;margin:.5rem 0}
.decide button{flex:1;max-width:14rem;border:1px solid #b3261e}
.decide .quiet{border-color:var(--line)}
.decide .button{flex:1;max-width:14rem;text-align:center}
@media(max-width:39.99rem){.paper .decide .button{padding-inline:.6rem}}
.did .small{display:block;margin-top:.1rem}
.did .refused{color:var(--amber)}
@media print{.form h2{margin:.7rem 0 .15rem;font-size:.9rem;break-after:avoid}
summary.line,div.line{padding:.1rem 0;font-size:.78rem;break-inside:avoid}.line .code::before{display:none}
.line .code{font-size:.72rem}.line .small{display:inline;padding-left:.5em;font-size:.7rem}.line.nil{display:none}
.figures{margin:.6rem 0;grid-template-columns:repeat(4,1fr)}.figures>div{padding:.3rem .8rem}.figures .main{grid-column:auto}
.figures dd,.figures .main dd{font-size:.95rem}.note{margin:.5rem 0;font-size:.8rem;padding:.4rem .8rem}}
@media print{.actions{display:none}
.paper{border:0;padding:0;box-shadow:none}.lines li{break-inside:avoid}}
`
