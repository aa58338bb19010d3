/** One stylesheet for both pages. Logical properties only, so that right-to-left needs no second one. */
export const STYLE = `
:root{color-scheme:light dark;--ground:#f1f4f2;--card:#fff;--ink:#14211e;--soft:#586864;--line:#dde4e1;
--accent:#0b6e62;--on-accent:#fff;--tint:#e7f3f0;--warn:#8a5200;--warn-tint:#fff4df;--bad:#a4262c;
--shadow:0 1px 2px rgb(16 32 29/.05),0 12px 32px -12px rgb(16 32 29/.18)}
@media (prefers-color-scheme:dark){:root{--ground:#0c1211;--card:#151d1b;--ink:#e8efec;--soft:#9db0aa;--line:#28332f;
--accent:#5cd6c2;--on-accent:#04211c;--tint:#16302b;--warn:#f2c572;--warn-tint:#2c2312;--bad:#ff9a9a;--shadow:none}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans Arabic","Noto Naskh Arabic",Tahoma,sans-serif;
-webkit-text-size-adjust:100%}
h1,h2,p,dl,dd,ul,ol,figure{margin:0;padding:0}
a{color:var(--accent)}
button,.button{font:inherit;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
bdi.num,.num{font-variant-numeric:tabular-nums}
.bar{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;max-width:1040px;margin:0 auto;padding:16px 20px}
.badge{background:var(--warn-tint);color:var(--warn);border-radius:99px;padding:3px 12px;font-size:13px;font-weight:600}
.bar p{color:var(--soft);font-size:13px;order:3;flex-basis:100%}
@media (min-width:560px){.bar p{order:0;flex:1}}
.bar:has(+.wide){max-width:1200px}
.bar nav{margin-inline-start:auto}
.bar a{font-size:14px;font-weight:600;text-decoration:none;padding:8px 4px}
.columns{display:grid;gap:20px;max-width:1040px;margin:0 auto;padding:4px 16px 40px;align-items:start}
@media (min-width:960px){.columns{grid-template-columns:minmax(0,1fr) 360px;gap:28px;padding-top:16px}}
.card{background:var(--card);border-radius:20px;box-shadow:var(--shadow);overflow:hidden;border:1px solid var(--line)}
.card>*{padding:20px}
@media (min-width:560px){.card>*{padding:24px 32px}}
.card>*+*{border-top:1px solid var(--line)}
.who{display:flex;align-items:center;gap:12px}
.avatar{display:grid;place-items:center;width:44px;height:44px;border-radius:14px;background:var(--tint);color:var(--accent);
font-weight:700;font-size:20px;flex:none}
.label{color:var(--soft);font-size:13px;font-weight:500}
.who strong{display:block;line-height:1.3;overflow-wrap:anywhere}
.due{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 10px;margin-top:20px}
.due .label{flex-basis:100%}
.due h1{font-size:clamp(34px,9vw,46px);line-height:1.15;letter-spacing:-.02em;font-weight:700}
.due h1 small{font-size:.45em;font-weight:600;letter-spacing:0;color:var(--soft)}
.facts{display:grid;gap:6px 24px;margin-top:16px;font-size:14px}
@media (min-width:560px){.facts{grid-template-columns:1fr 1fr}}
.facts:first-child{margin-top:0}
.facts dt{color:var(--soft);font-size:13px}.facts dd{overflow-wrap:anywhere}
h2{font-size:15px;font-weight:650;margin-bottom:12px}
.coins{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:10px}
@media (min-width:560px){.coins{grid-template-columns:repeat(3,minmax(0,1fr))}}
.coin{display:flex;align-items:center;gap:10px;min-height:60px;padding:8px 12px;text-align:start;color:inherit;
background:none;border:1px solid var(--line);border-radius:14px;transition:border-color .15s,background .15s}
.coin:hover{border-color:var(--accent)}
.coin[aria-pressed=true]{border-color:var(--accent);background:var(--tint);box-shadow:inset 0 0 0 1px var(--accent)}
.sign{flex:none;width:30px;height:30px}
.copy{min-height:32px;padding:4px 12px;border:1px solid var(--line);border-radius:99px;background:none;color:var(--accent);
font:600 13px/1.4 system-ui,"Noto Sans Arabic",sans-serif;white-space:nowrap}
.copy:hover{border-color:var(--accent)}
.result{margin-top:12px;padding:10px 14px;border-radius:12px;background:var(--tint);color:var(--ink)!important;font-weight:600}
.faults{list-style:none;display:grid;gap:6px;margin-top:12px;font-size:14px}
.faults li{border-inline-start:4px solid var(--bad);padding-inline-start:10px;overflow-wrap:anywhere}
.fault{display:flex;flex-wrap:wrap;gap:12px;align-items:end;margin-top:16px}
.fault label{display:grid;gap:4px;font-size:13px;color:var(--soft)}
select{min-height:44px;padding:8px 12px;border:1px solid var(--line);border-radius:12px;background:var(--card);color:var(--ink);font:inherit;font-size:15px}
.fault .button{min-height:44px;padding:8px 20px;font-size:15px}
.coin span{min-width:0;line-height:1.25}.coin b{display:block;font-size:14px}
.coin bdi{color:var(--soft);font-size:12.5px;overflow-wrap:anywhere}
.send{display:grid;gap:20px;align-items:center;justify-items:center}
@media (min-width:560px){.send{grid-template-columns:auto minmax(0,1fr);justify-items:start;gap:28px}}
.code{display:block;width:168px;height:168px;border-radius:14px;border:1px solid var(--line)}
.send dl{display:grid;gap:12px;width:100%}
.send dd{font-weight:650;font-size:19px}
.send dd.address{font:500 14px/1.5 ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere;
background:var(--ground);border-radius:10px;padding:10px 12px}
.fine{color:var(--soft);font-size:13px;margin-top:12px}
.actions{display:grid;gap:10px}
@media (min-width:560px){.actions{grid-template-columns:1fr auto}}
.button{display:block;min-height:52px;padding:12px 24px;border-radius:14px;border:1px solid transparent;font-weight:650;
text-align:center;text-decoration:none}
.main{background:var(--accent);color:var(--on-accent)}.main:hover{filter:brightness(1.08)}
.quiet{background:none;color:var(--ink);border-color:var(--line)}.quiet:hover{border-color:var(--ink)}
.notice{background:var(--warn-tint);color:var(--warn);font-size:14px;font-weight:500}
.done{text-align:center;display:grid;gap:12px;justify-items:center;padding-block:44px!important}
.done svg{width:64px;height:64px;color:var(--accent)}
.done h1{font-size:26px;line-height:1.25}.done p{color:var(--soft);max-width:36ch}
.tools{border:2px dashed color-mix(in srgb,var(--warn) 45%,transparent);border-radius:20px;padding:20px;font-size:14px}
.tools h2{display:flex;gap:8px;align-items:center;color:var(--warn);margin-bottom:6px}
.tools>p{color:var(--soft);font-size:13px}
.tools form{display:grid;gap:8px;margin:14px 0}
.tool{display:block;width:100%;text-align:start;background:var(--card);color:inherit;border:1px solid var(--line);border-radius:12px;
padding:10px 14px}
.tool:hover{border-color:var(--warn)}.tool b{display:block;font-weight:600}.tool small{color:var(--soft);font-size:13px;line-height:1.4;display:block}
.tools h3{font-size:13px;margin:16px 0 6px}
.log{list-style:none;font-size:13px;display:grid;gap:4px}
.log li{display:flex;gap:8px;justify-content:space-between;border-top:1px solid var(--line);padding-top:4px}
.ok{color:var(--accent);font-weight:600}.bad{color:var(--bad);font-weight:600}
.wide{max-width:1200px;margin:0 auto;padding:8px 20px 48px;display:grid;gap:24px}
.wide .card>*{padding:20px 24px}
.wide h1{font-size:28px;letter-spacing:-.01em}
.addresses{display:grid;grid-template-columns:auto minmax(0,1fr);gap:6px 20px;font-size:14px}
.addresses dt{color:var(--soft)}.addresses dd,code{font-family:ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace;
font-size:13px;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;font-size:14px}
th{text-align:start;color:var(--soft);font-weight:500;font-size:13px}
th,td{padding-block:8px;padding-inline:0 16px;border-bottom:1px solid var(--line);vertical-align:top;white-space:nowrap}
td{overflow-wrap:anywhere;white-space:normal!important}td .num,.status{white-space:nowrap}
@media (max-width:760px){.addresses{grid-template-columns:minmax(0,1fr)}.addresses dd{margin-bottom:8px}
thead{display:none}table,tbody,tr,td{display:block}
tr{padding:10px 0;border-bottom:1px solid var(--line)}td{display:flex;gap:12px;padding:3px 0;border:0;align-items:baseline}.copy{flex:none}
td::before{content:attr(data-name);flex:0 0 8em;color:var(--soft);font-size:13px}}
.status{display:inline-block;border-radius:99px;padding:1px 10px;font-size:12.5px;font-weight:600;background:var(--ground);color:var(--soft)}
.status.BAD{background:var(--warn-tint);color:var(--warn)}
.status.PAID{background:var(--tint);color:var(--accent)}
@media (prefers-reduced-motion:reduce){*{transition:none!important}}
`
