// reports/site/assets.cc: style sheet and script of a site.
#include "reports/site/assets.h"

namespace dlpack_cts {

const std::string_view kSiteStyle = R"css(
main{max-width:96rem}main>p,main>ul,main>section>p{max-width:60rem}
.top{border-bottom:1px solid var(--line);background:var(--card)}
.top nav{max-width:96rem;margin:0 auto;padding:.5rem 1rem;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}
.top a{padding:.15rem 0}.top a[aria-current]{color:var(--ink);text-decoration:none;border-bottom:3px solid var(--link)}
.grid{width:auto;min-width:100%;font-size:.85rem;background:var(--card)}
.grid th,.grid td{border:1px solid var(--line);padding:.3rem .45rem}
.grid thead th{background:var(--code);vertical-align:bottom}
.grid thead th.up{padding:.4rem .2rem;text-align:left}.grid .up>*{writing-mode:vertical-rl;transform:rotate(180deg);white-space:nowrap;font-weight:600;max-height:11rem}
.grid tbody th{background:var(--card);font-weight:600}
.grid th:first-child{position:sticky;left:0;z-index:1}
.grid .cell,.grid .PASS,.grid .SKIP{text-align:center;white-space:nowrap}.grid .cell a{text-decoration:none}.grid .cell a:hover .v{text-decoration:underline}
.grid .v{font-size:.68rem;padding:0 .2rem}
.grid small{color:var(--soft);font-weight:400}.grid .cell small{display:block}
.grid th:first-child{overflow-wrap:normal}.grid tbody th:first-child{min-width:7rem}
.wrap{overflow-wrap:anywhere}
.lead{min-width:12rem}.requirement{min-width:20rem;max-width:34rem;font-weight:400}
.bad{background:color-mix(in srgb,var(--fail) 12%,var(--card))}.poor{background:color-mix(in srgb,var(--warn) 12%,var(--card))}
.fine{background:color-mix(in srgb,var(--pass) 12%,var(--card))}.grey{background:var(--code)}.key{padding:0 .3rem;border:1px solid var(--line)}
.yes,.no,.partly,.unknown{white-space:nowrap}.yes{color:var(--pass);font-weight:700}.no{color:var(--ink)}.wrong{color:var(--fail);font-weight:700}.partly{color:var(--warn);font-weight:700}.unknown{color:var(--soft)}
.bar select{font:inherit;padding:.3rem;border:1px solid var(--soft);border-radius:6px;background:var(--page);color:var(--ink)}
.bar{margin:1rem 0}tr:target>*,li:target,section:target{box-shadow:inset 4px 0 var(--link)}
.legend{font-size:.9rem}footer{margin-top:3rem;border-top:1px solid var(--line);font-size:.9rem}
.facts{width:auto}.facts th{white-space:nowrap;color:var(--soft);font-weight:400}
details.more{margin:.6rem 0}details.more>summary{cursor:pointer;text-decoration:underline}
@media(max-width:44rem){.grid{font-size:.8rem}.lead{min-width:9rem}.requirement{min-width:14rem}.grid tbody th:first-child{min-width:5.5rem;max-width:9rem}}
@page{size:landscape;margin:1cm}
@media print{.top{display:none}body{background:#fff;font-size:11px}main{padding:0}.grid{font-size:7px}.grid th:first-child{position:static}.grid th,.grid td{padding:1px}tr{break-inside:avoid}
.grid tbody th:first-child{min-width:3.5rem}.lead{min-width:8rem}.requirement{min-width:10rem;max-width:none}
.grid thead th.up{padding:2px 1px}.grid .cell{white-space:normal}.grid .cell>*,.grid .cell .v{writing-mode:vertical-rl;line-height:1}.grid .cell .v{font-size:6px;padding:1px 0;border-width:1px}.grid .cell small{display:inline-block;white-space:nowrap;font-size:5px}}
)css";

const std::string_view kSiteScript = R"js(
"use strict";
const form=document.getElementById("filter");
if(form){
const rows=[...document.querySelectorAll(".row")],shown=document.getElementById("shown");
const groups=[...document.querySelectorAll(".group")].map(e=>({e,rows:[...e.querySelectorAll(".row")]}));
for(const r of rows)r.words=(r.dataset.words||r.textContent).toLowerCase();
const fields=[...form.elements].filter(e=>e.name);
const read=()=>{const p=new URLSearchParams(location.hash.includes("=")?location.hash.slice(1):"");
for(const f of fields){const v=p.get(f.name);if(f.type==="checkbox")f.checked=v==="1";else f.value=v!==null?v:(f.options?f.options[0].value:"");}};
const write=()=>{const p=new URLSearchParams();
for(const f of fields){if(f.type==="checkbox"){if(f.checked)p.set(f.name,"1");}else if(f.value&&!(f.options&&f.selectedIndex===0))p.set(f.name,f.value);}
try{history.replaceState(null,"",p.size?"#"+p:location.pathname+location.search);}catch(e){}};
const apply=()=>{let n=0;
for(const r of rows){let ok=true;
for(const f of fields){if(f.name==="sort")continue;
if(f.type==="checkbox"){if(f.checked&&r.dataset[f.name]!=="1")ok=false;}
else if(f.type==="search"){for(const w of f.value.toLowerCase().split(/\s+/))if(w&&!r.words.includes(w))ok=false;}
else if(f.value&&!(" "+r.dataset[f.name]+" ").includes(" "+f.value+" "))ok=false;}
r.hidden=!ok;if(ok)++n;}
for(const g of groups)g.e.hidden=!g.rows.some(r=>!r.hidden);
const sort=form.elements.sort;
if(sort)for(const b of new Set(rows.map(r=>r.parentNode)))
[...rows].filter(r=>r.parentNode===b).sort((x,y)=>sort.value==="name"?x.dataset.name.localeCompare(y.dataset.name):x.dataset.place-y.dataset.place).forEach(r=>b.append(r));
shown.textContent=n+" of "+rows.length+" shown";};
form.addEventListener("input",()=>{write();apply();});
form.addEventListener("submit",e=>e.preventDefault());
addEventListener("hashchange",()=>{if(location.hash.includes("=")||!location.hash){read();apply();}
else show();});
const show=()=>{const goal=location.hash.includes("=")?null:document.getElementById(location.hash.slice(1));if(!goal)return;
const folded=goal.closest("details"),left=goal.closest("[hidden]");
if(folded)folded.open=true;
if(left){form.reset();apply();}
if(folded||left)goal.scrollIntoView();};
form.hidden=false;read();apply();show();
}
)js";

}  // namespace dlpack_cts
