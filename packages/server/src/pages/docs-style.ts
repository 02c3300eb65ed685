import { BASE_STYLE, DARK, LIGHT, TABLE_STYLE } from './style.ts'

/** The stylesheet of the documentation: on a wide screen where one is at the left, and the code at the right of what it shows. */
export const DOCS_STYLE = `${BASE_STYLE}${TABLE_STYLE}
:root[data-theme=light]{color-scheme:light;${LIGHT}}
:root[data-theme=dark]{color-scheme:dark;${DARK}}
[hidden]{display:none!important}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:.5rem;background:var(--sheet);padding:.4rem .8rem;z-index:9}
.bar{position:sticky;top:0;background:var(--paper);z-index:5}
.bar>div,.wide,.narrow main.wide:has(.shell){max-width:92rem}
body:not(:has(.shell)) :is(.bar>div,footer .wide),body:not(.narrow,:has(.shell)) main.wide{max-width:72rem}
.tools{display:flex;gap:.5rem;align-items:center}
.tools button{background:none;color:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.3rem .6rem;font-size:.85rem;
font-weight:500;min-height:2rem}
.tools button:hover{color:var(--ink);border-color:var(--soft);background:none}
.tools kbd{border:1px solid var(--line);border-radius:4px;padding:0 .35rem;font-size:.75rem;margin-left:.6rem}
html{scroll-padding-top:5rem}
.shell{display:block}
.side{font-size:.9rem;border-bottom:1px solid var(--line);margin:-1.5rem 0 2rem;padding-bottom:.75rem}
.side summary{font-weight:600;color:var(--ink);padding:.4rem 0}
.side p{font-size:.75rem;font-weight:650;color:var(--soft);margin:1.1rem 0 .3rem;letter-spacing:.02em}
.side ul{list-style:none;margin:0;padding:0}
.side li{margin:0}
.side a{display:block;text-decoration:none;color:var(--soft);padding:.2rem .6rem;border-radius:5px;border-left:2px solid transparent}
.side a:hover{color:var(--ink);background:var(--wash)}
.side a[aria-current]{color:var(--ink);font-weight:600;background:var(--wash);border-left-color:var(--red)}
.side ul ul{margin:.15rem 0 .4rem .6rem;border-left:1px solid var(--line);font-size:.85rem}
@media(min-width:64rem){.shell{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:3rem}
.side{position:sticky;top:4.75rem;align-self:start;max-height:calc(100vh - 5.5rem);overflow:auto;margin:0;padding:0 .25rem 2rem 0;border:0}
.side>details>summary{display:none}
main.wide{padding-top:2rem}}
.narrow .shell .page{max-width:46rem}
.op,.object{border-top:1px solid var(--line);padding:2rem 0 1rem;margin-top:2rem}
.op>h2,.object>h2{margin:0;display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem .75rem}
.anchor{text-decoration:none}
.anchor:hover::after,.anchor:focus-visible::after,.fields>li>a:is(:hover,:focus-visible)::after{content:" #";color:var(--red);font-weight:400}
.call{display:flex;flex-wrap:wrap;gap:.25rem .6rem;align-items:baseline;margin:.5rem 0;font-family:var(--mono);
font-size:.875rem;overflow-wrap:anywhere;max-width:none}
.verb{font-weight:700;font-size:.8rem;letter-spacing:.03em}
.GET{color:var(--blue)}.POST{color:var(--green)}.PATCH{color:var(--amber)}.DELETE{color:var(--red)}
.both{display:grid;gap:1rem 2.5rem;grid-template-columns:minmax(0,1fr)}
@media(min-width:80rem){.both{grid-template-columns:minmax(0,1fr) minmax(0,30rem)}
.shown{position:sticky;top:4.75rem;align-self:start;max-height:calc(100vh - 5.5rem);overflow:auto}}
.needs{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.15rem 1rem;margin:1rem 0;font-size:.875rem}
.needs dt{color:var(--soft)}
.needs dd{margin:0}
.stop{color:var(--red);font-weight:600}
.fields{list-style:none;padding:0;margin:.25rem 0 1rem}
.fields>li{border-top:1px solid var(--line);padding:.6rem 0;margin:0;max-width:none;font-size:.925rem}
.fields>li:target{background:var(--red-wash);box-shadow:-.75rem 0 0 var(--red-wash),.75rem 0 0 var(--red-wash)}
.fields>li>a{text-decoration:none}
.fields>li>a code{background:none;padding:0;font-weight:600;font-size:.875rem;color:var(--ink)}
.fields small{color:var(--soft);font-size:.825rem}
.fields strong{color:var(--red);font-size:.8rem;font-weight:600}
.fields>li>span{display:block;max-width:68ch;margin-top:.15rem}
.fields details{margin:.4rem 0 0}
.fields .fields{margin:.4rem 0 0 .3rem;padding-left:.9rem;border-left:2px solid var(--line)}
.codes{font-size:.825rem;line-height:1.9;max-width:none}
.codes a{font-family:var(--mono);margin-right:.75rem;white-space:nowrap}
.code{border:1px solid var(--line);border-radius:8px;background:var(--wash);margin:0 0 1rem;overflow:hidden}
.code figcaption{display:flex;gap:.25rem .9rem;align-items:center;padding:.25rem .5rem .25rem .9rem;border-bottom:1px solid var(--line);
font-size:.8rem;color:var(--soft);min-height:2.25rem}
.code figcaption>:first-child{margin-right:auto}
.code pre{border:0;border-radius:0;margin:0;background:none;max-height:26rem;overflow:auto;font-size:.8rem;padding:.8rem .9rem}
.copy,.try{background:none;color:var(--soft);border:1px solid transparent;border-radius:5px;padding:.2rem .55rem;font-size:.8rem;font-weight:500;
min-height:1.6rem}
.copy:hover,.try:hover{background:var(--sheet);border-color:var(--line);color:var(--ink)}
.try{color:#fff;background:#b3261e}
.try:hover{background:#8f1d17;color:#fff}
.held{position:relative}
.held .copy{position:absolute;top:.4rem;right:.4rem;background:var(--wash);border-color:var(--line)}
@media(hover:hover){.held:not(:hover,:focus-within) .copy{opacity:0}}
@media(hover:none){.held pre{padding-top:2.6rem}}
.tongues{display:flex;gap:.1rem;flex-wrap:wrap;margin:0;padding:0;border:0}
.tongues legend{float:left;font-size:.85rem;font-weight:400;color:var(--soft);margin:.2rem .8rem 0 0}
.tongues label,.tabs label{display:inline-flex;gap:.35rem;align-items:center;font-weight:500;font-size:.8rem;color:var(--soft);cursor:pointer;
padding:.2rem .5rem;border-radius:5px;min-height:1.6rem}
.tongues input[type=radio]{margin:0;width:.9rem;height:.9rem}
.tabs{display:flex;gap:.1rem}
.tabs label:hover{color:var(--ink)}
body:has(#in-curl:checked) .tabs [for=in-curl],body:has(#in-typescript:checked) .tabs [for=in-typescript],
body:has(#in-python:checked) .tabs [for=in-python]{color:var(--ink);background:var(--sheet);box-shadow:0 0 0 1px var(--line)}
body:has(#in-curl:checked) :is(.typescript,.python),body:has(#in-typescript:checked) :is(.curl,.python),
body:has(#in-python:checked) :is(.curl,.typescript){display:none}
pre i{font-style:normal;color:var(--green)}
pre b{font-weight:400;color:var(--blue)}
pre em{font-style:normal;color:var(--soft)}
.status{font-family:var(--mono);font-weight:700}
.s2{color:var(--green)}
.index{list-style:none;padding:0;margin:.5rem 0 1.5rem;font-size:.9rem}
.index li{display:grid;grid-template-columns:4rem minmax(0,1fr);gap:0 .5rem;padding:.2rem 0;margin:0;max-width:none}
.index li:target{background:var(--red-wash)}
.index a{text-decoration:none}
.index a:hover{text-decoration:underline}
.index .mono{color:var(--soft);font-size:.8rem;margin-left:.5rem;overflow-wrap:anywhere}
.areas{columns:2;column-gap:3rem}
.areas>section{break-inside:avoid;margin-bottom:1rem}
.areas h4{margin:.75rem 0 .2rem;font-size:.95rem;color:var(--ink)}
.areas h4 a{text-decoration:none}
@media(max-width:60rem){.areas{columns:1}}
.hero{display:grid;gap:2.5rem;align-items:center}
@media(min-width:54rem){.hero{grid-template-columns:minmax(0,1fr) 17rem}}
.cards{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));margin:1.5rem 0;padding:0;
list-style:none}
.cards li{border:1px solid var(--line);border-radius:8px;padding:1rem 1.1rem;background:var(--sheet);margin:0}
.cards li p{margin:.35rem 0 0;font-size:.925rem;color:var(--soft)}
.cards a{font-weight:600}
.crumbs{display:flex;gap:.3rem 1.25rem;flex-wrap:wrap;font-size:.875rem;margin:0 0 .75rem;color:var(--soft)}
.onward{display:flex;justify-content:space-between;gap:1rem;border-top:1px solid var(--line);margin-top:3rem;padding-top:1rem;font-size:.9rem}
tr:target>td{background:var(--red-wash)}
dialog{border:1px solid var(--line);border-radius:10px;background:var(--paper);color:var(--ink);padding:0;width:min(44rem,calc(100vw - 1.5rem));
max-height:calc(100vh - 4rem);box-shadow:0 12px 48px #0004}
dialog::backdrop{background:#0006}
dialog.find{margin-top:8vh}
.find input[type=search]{border:0;border-bottom:1px solid var(--line);border-radius:0;padding:1rem 1.1rem;font-size:1.05rem;background:none}
.find ul{list-style:none;margin:0;padding:.4rem;max-height:60vh;overflow:auto}
.find li{margin:0;max-width:none}
.find li a{display:grid;gap:0 .75rem;grid-template-columns:5.5rem minmax(0,1fr);padding:.45rem .7rem;border-radius:6px;text-decoration:none}
.find li a:hover,.find li a:focus-visible{background:var(--wash);color:var(--ink)}
.find .soft{font-size:.8rem;overflow-wrap:anywhere}
.find li a>:last-child{grid-column:2}
.find p{padding:.5rem 1.1rem 1rem;margin:0}
.attempt{padding:1.25rem}
.attempt form{margin:1rem 0 0;max-width:none;grid-template-columns:minmax(0,1fr)}
.attempt label{grid-template-columns:minmax(0,1fr)}
.attempt h2{margin:0;font-size:1.15rem}
.attempt textarea{font-family:var(--mono);font-size:.85rem;min-height:11rem}
.attempt .close{float:right}
.attempt pre{max-height:24rem;overflow:auto}
@media(max-width:63.99rem){.bar>div{gap:.1rem .75rem}.bar nav{order:2;width:100%}.tools kbd{display:none}
.bar{position:static}html{scroll-padding-top:1rem}.side{margin-top:-1.75rem}.index .mono{display:block;margin:0}}
@media print{.bar,.side,.tools,.copy,.try,.tongues,.tabs,.onward,.skip{display:none!important}.shell,.both{display:block}
pre{max-height:none!important;overflow:visible!important;white-space:pre-wrap;overflow-wrap:anywhere}.shown{position:static;max-height:none;overflow:visible}
.op{break-inside:auto}h2,h3{break-after:avoid}.fields>li:not(:has(.fields)){break-inside:avoid}details>summary{list-style:none}
.fields details:not([open])>*{display:block}a{text-decoration:none}}
`
