// reports/html_assets.cc: style sheet and script of the page.
#include "reports/html_assets.h"

namespace dlpack_cts {

const std::string_view kPageStyle = R"css(
:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d5dae0;--link:#0550ae;--code:#eef1f4;
--pass:#116329;--fail:#b3151f;--warn:#7d4e00;--note:#0b5a84;--skip:#57606a;--lane0:#0550ae;--lane1:#8250df;--lane2:#1b7f5f;--lane3:#953800}
@media screen and (prefers-color-scheme:dark){:root{--page:#0e1116;--card:#171b22;--ink:#e6e9ee;--soft:#a3acb8;--line:#30363f;--link:#7db8ff;--code:#222832;
--pass:#5cc97a;--fail:#ff8a84;--warn:#e3b341;--note:#6cc3f2;--skip:#a3acb8;--lane0:#7db8ff;--lane1:#c7a4ff;--lane2:#5fd3ae;--lane3:#ffae70}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
main{max-width:72rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}h2{font-size:1.25rem;margin:2rem 0 .6rem}h3{font-size:1rem;margin:1.2rem 0 .4rem}h4{font-size:.9rem;margin:1rem 0 .3rem;color:var(--soft)}
a{color:var(--link)}
code,pre,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em}
code{background:var(--code);padding:.05em .3em;border-radius:4px}
pre{background:var(--code);padding:.8rem;border-radius:6px;max-height:24rem;overflow:auto;margin:.3rem 0;overflow-wrap:normal}
pre.wrap{white-space:pre-wrap;overflow-wrap:anywhere}
.soft{color:var(--soft)}
.alert{border:2px solid var(--warn);padding:.6rem .8rem;border-radius:8px}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(7.5rem,1fr));gap:.6rem;margin:1rem 0}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.5rem .8rem}
.card{font-size:.85rem}.card b{display:block;font-size:1.6rem;line-height:1.2}
.card.wide{grid-column:1/-1}
.v{display:inline-block;font:700 .75rem/1.6 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;border:1.5px solid;border-radius:5px;padding:0 .4rem;text-align:center;white-space:nowrap}
.PASS{color:var(--pass)}.FAIL,.CRASH,.UNSAFE,.LEAK,.TIMEOUT{color:var(--fail)}.WARN{color:var(--warn)}.NOTE{color:var(--note)}.SKIP,.BLOCKED{color:var(--skip)}
.bar{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.7rem;display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:1rem 0}
.bar input[type=search]{flex:1 1 14rem;min-width:0;font:inherit;padding:.35rem .6rem;border:1px solid var(--soft);border-radius:6px;background:var(--page);color:var(--ink)}
button{font:inherit;color:var(--ink);background:var(--page);border:1px solid var(--soft);border-radius:6px;padding:.3rem .7rem;min-height:2.2rem;cursor:pointer}
.chip{font:700 .8rem/1.4 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.chip[aria-pressed=true]{background:var(--ink);color:var(--page);border-color:var(--ink)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.bar label{display:flex;gap:.4rem;align-items:center;min-height:2.2rem}
.chapter{background:var(--card);border:1px solid var(--line);border-radius:8px;margin:.6rem 0}
.chapter>summary{padding:.6rem .8rem;cursor:pointer;display:flex;flex-wrap:wrap;gap:.2rem .8rem;align-items:baseline}
.chapter>summary::before,.case>summary::before{content:"+";font-family:monospace;color:var(--soft);width:1ch;flex:none}
.chapter[open]>summary::before,.case[open]>summary::before{content:"-"}
summary{list-style:none}summary::-webkit-details-marker{display:none}
.chapter>summary h3{margin:0}
.case{border-top:1px solid var(--line)}
.case>summary{padding:.45rem .8rem;cursor:pointer;display:grid;grid-template-columns:1ch 5.5rem minmax(0,1.2fr) minmax(0,1.3fr);gap:.2rem .7rem;align-items:baseline}
.case>summary .bare{grid-column:3/-1}
.case>summary:hover{background:var(--code)}
.case.x>summary{box-shadow:inset 4px 0 var(--fail)}
.body{padding:.2rem .8rem 1rem 1.6rem}
.tag{font-size:.75rem;border:1px solid var(--soft);border-radius:5px;padding:0 .35rem;color:var(--soft);white-space:nowrap}
.rule{font:.75rem ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;color:var(--soft);white-space:nowrap}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:.6rem}.pair>div{min-width:0}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .5rem;border-bottom:1px solid var(--line)}
.scroll{overflow-x:auto}
.rules th,.rules td:nth-child(-n+2){white-space:nowrap}.rules td:nth-child(3){min-width:18rem}.rules td:nth-child(6){min-width:16rem}
.recipe{width:auto;min-width:min(100%,28rem)}.recipe td:first-child{white-space:nowrap;color:var(--soft)}.recipe td{padding:.1rem .5rem}
.broke{list-style:none;margin:.3rem 0;padding:0}.broke li{display:grid;grid-template-columns:5.5rem minmax(0,1fr);gap:.1rem .7rem;padding:.35rem 0;border-bottom:1px solid var(--line);align-items:baseline}
.tl{list-style:none;margin:.3rem 0;padding:0;border-left:2px solid var(--line)}
.tl>li{position:relative;padding:.1rem 0 .1rem 1.1rem}
.tl>li::before{content:"";position:absolute;left:-7px;top:.55em;width:12px;height:12px;border-radius:50%;background:var(--lane)}
.tl>li.start{margin-top:.4rem;font-weight:600}
.tl>li.minor::before{width:8px;height:8px;left:-5px;top:.75em}
.tl>li.fault::before{border-radius:0;background:var(--fail);transform:rotate(45deg)}
.tl>li.fault{color:var(--fail);font-weight:600}
.s0{--lane:var(--lane0)}.s1{--lane:var(--lane1)}.s2{--lane:var(--lane2)}.s3{--lane:var(--lane3)}
.copy{float:right;margin-left:.5rem;position:relative}
[hidden]{display:none!important}
@media(max-width:44rem){
main{padding:.7rem}h1{font-size:1.3rem}
.case>summary{grid-template-columns:1ch 5.5rem minmax(0,1fr)}.case>summary .say{grid-column:1/-1}
.body{padding:.2rem .7rem 1rem}.pair{grid-template-columns:1fr}
.cards{grid-template-columns:repeat(auto-fill,minmax(6.2rem,1fr))}
.stack thead{display:none}.stack,.stack tbody,.stack tr,.stack td{display:block;width:100%}
.stack tr{border-bottom:1px solid var(--line);padding:.4rem 0}.stack td{border:0;padding:.1rem .8rem}.rules td:nth-child(-n+2){display:inline-block;width:auto}.rules td:nth-child(2){padding-left:0}.rules td:nth-child(n){min-width:0}
.stack td[data-l]::before{content:attr(data-l) ": ";color:var(--soft)}.stack td:empty{display:none}
}
@media print{:root{color-scheme:light}.bar,.copy{display:none}.case{break-inside:avoid}.scroll{overflow:visible}
pre{max-height:none;overflow:visible;white-space:pre-wrap;overflow-wrap:anywhere}
.rules{font-size:.75rem}.rules td:nth-child(n){min-width:0;white-space:normal}}
)css";

const std::string_view kPageScript = R"js(
"use strict";
const cases=[...document.querySelectorAll(".case")].map(e=>({e,v:e.dataset.v,x:e.classList.contains("x"),
t:(e.dataset.t+" "+e.firstElementChild.textContent).toLowerCase()}));
const chapters=[...document.querySelectorAll(".chapter.cases")].map(e=>({e,was:e.open,cases:cases.filter(c=>e.contains(c.e))}));
const chips=[...document.querySelectorAll(".chip")],find=document.getElementById("find"),only=document.getElementById("only"),
shown=document.getElementById("shown"),bar=document.querySelector(".bar");
let filtering=false;
const invalid=list=>list.filter(c=>c.v==="invalid").length;
const total=cases.length-invalid(cases);
function say(list,active){
const h=invalid(list),all=invalid(cases),of=active?" of ":"";
return (active?list.length-h+of:"")+total+" cases"+(all?", "+(active?h+of:"")+all+" with invalid input":"")+(active?" shown":"");
}
function filter(){
const on=new Set(chips.filter(c=>c.getAttribute("aria-pressed")==="true").map(c=>c.dataset.v));
const words=find.value.toLowerCase().split(/\s+/).filter(Boolean);
const active=on.size>0||words.length>0||only.checked;
for(const c of cases)c.e.hidden=!((!on.size||on.has(c.v))&&(!only.checked||c.x)&&words.every(w=>c.t.includes(w)));
for(const c of chapters){const any=c.cases.some(k=>!k.e.hidden);c.e.hidden=!any;
if(active&&!filtering)c.was=c.e.open;c.e.open=active?any:c.was;}
filtering=active;
shown.textContent=say(cases.filter(c=>!c.e.hidden),active);
}
for(const c of chips)c.addEventListener("click",()=>{c.setAttribute("aria-pressed",c.getAttribute("aria-pressed")!=="true");filter();});
find.addEventListener("input",filter);only.addEventListener("change",filter);
document.getElementById("all").addEventListener("click",()=>{for(const c of chips)c.setAttribute("aria-pressed","false");find.value="";only.checked=false;filter();});
async function copy(button){
const text=button.dataset.of.split(" ").map(i=>document.getElementById(i).textContent).join("");let done=false;
try{await navigator.clipboard.writeText(text);done=true;}catch(e){
const box=document.createElement("textarea");box.value=text;document.body.append(box);box.select();
try{done=document.execCommand("copy");}catch(e2){}
box.remove();}
button.textContent=done?"Copied":"Not allowed";setTimeout(()=>{button.textContent="Copy";},1500);
}
for(const b of document.querySelectorAll(".copy")){b.hidden=false;b.addEventListener("click",()=>copy(b));}
function reveal(){
let id=location.hash.slice(1);try{id=decodeURIComponent(id);}catch(e){}
const goal=id&&document.getElementById(id);if(!goal)return;
for(let e=goal;e;e=e.parentElement)if(e.tagName==="DETAILS")e.open=true;
if(goal.closest("[hidden]"))document.getElementById("all").click();
for(let e=goal;e;e=e.parentElement)if(e.tagName==="DETAILS")e.open=true;
goal.scrollIntoView();
}
addEventListener("hashchange",reveal);
bar.hidden=false;filter();reveal();
)js";

}  // namespace dlpack_cts
