// Style sheet of the pages: calm, light and dark, from 320 px up. Blocks and inline-blocks only:
// browsers that render on a server (Opera Mini) support no grid and little else.
import { raw } from 'hono/html'

export const pageStyle = raw(`
:root{color-scheme:light dark}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:#f3f5f4;color:#17211d;
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:28rem;margin:0 auto;padding:1.5rem 1rem 1rem}
h1{font-size:1.0625rem;line-height:1.4;font-weight:600;margin:0 0 1.5rem .25rem;color:#45534d}
header{display:flex;align-items:center;min-height:2.75rem;margin:0 0 1rem .25rem}
header img{flex:none;margin:0 .75rem 0 0;border-radius:.625rem;object-fit:contain}
header p{margin:0;font-size:1.125rem;line-height:1.3}
header b,header span{display:block}
header span{font-size:.9375rem;color:#45534d}
footer{margin:1rem .25rem 0}
h2{font-size:1.375rem;line-height:1.3;margin:0 0 .5rem}
h3{font-size:1rem;margin:0 0 .25rem}
h2,button,.button{text-wrap:balance}
p{margin:0 0 1rem}
a{color:#0b6e4f}
.card{background:#fff;border:1px solid #dbe2df;border-radius:1rem;padding:1.25rem;
box-shadow:0 1px 2px rgba(16,32,26,.06),0 8px 24px rgba(16,32,26,.05)}
form{margin:0 0 .75rem}
.card>:last-child,.card>:last-child>:last-child,form>:last-child{margin-bottom:0}
.test{display:inline-block;margin:0 0 1rem;padding:.25rem .75rem;border-radius:1rem;background:#ffd84d;color:#332a00;
font-size:.8125rem;font-weight:700}
.state{position:relative}
.state h2{min-height:2.5rem;padding:.375rem 0 0 3.25rem}
.mark{position:absolute;left:0;top:0;width:2.5rem;height:2.5rem;border-radius:50%;text-align:center;line-height:2.5rem;
font-size:1.25rem;font-weight:700;background:#e4eaf5;color:#1d3f7a}
.good .mark{background:#d8f0e5;color:#0b6e4f}
.bad .mark{background:#fbe3e0;color:#93261b}
.slow .mark,.look .mark{background:#fdecc8;color:#6b3f00}
.sum{margin:0 0 1.25rem;padding:0 0 1rem;border-bottom:1px solid #dbe2df}
.sum b{display:block;font-size:1.75rem;font-size:clamp(1.25rem,7.8vw,1.875rem);line-height:1.25;
font-variant-numeric:tabular-nums}
.sum span{color:#45534d}
.state .sum{margin:0 0 .5rem;padding:0;border:0}
label,.label{display:block;font-weight:600;margin:0 0 .25rem}
label small,.label small{font-weight:400;color:#55635d}
.field{margin:0 0 1.125rem}
.hint{margin:.25rem 0 0;font-size:.875rem;color:#55635d}
.wrong{margin:.25rem 0 0;font-size:.875rem;font-weight:600;color:#93261b}
.faults{margin:0 0 1.25rem;padding:.75rem 1rem;border:1px solid #d88a80;border-left-width:.375rem;border-radius:.75rem;
background:#fdf3f1}
.faults p{margin:0;font-weight:600}
.faults ul{margin:.25rem 0 0;padding:0;list-style:none}
.faults a{color:#93261b;display:block;padding:.625rem 0}
input,select,button,.button{font:inherit;color:inherit}
input[type=text],input[type=tel],input[type=email],select{display:block;width:100%;min-height:3rem;
padding:.625rem .75rem;background:#fff;border:1px solid #84918b;border-radius:.75rem}
input[aria-invalid=true],select[aria-invalid=true]{border:2px solid #b53426}
.amount{font-variant-numeric:tabular-nums;font-size:1.25rem}
.fixed{display:block;padding:.375rem 0}
.fixed:after{content:"";display:block;clear:both}
.fixed a,.plainlink{display:inline-block;padding:.75rem .5rem .75rem 0;margin:-.75rem 0}
.fixed a{float:right;padding:.75rem 0 .75rem .25rem}
button,.button{display:block;width:100%;min-height:3rem;padding:.6875rem 1rem;border-radius:.75rem;
border:1px solid #0b6e4f;background:#0b6e4f;color:#fff;font-weight:600;text-align:center;text-decoration:none;
cursor:pointer}
button:hover,.button:hover{background:#095a41}
.button small{display:block;font-weight:400}
select{text-overflow:ellipsis;padding-left:.5rem}
.second{background:transparent;color:#0b6e4f;border-color:#84918b}
.second:hover{background:#eef4f1}
.do{margin:0 0 .75rem}
.small{font-size:.875rem;color:#55635d}
.tick{display:block;position:relative;padding:.625rem 0 .625rem 2.25rem;font-weight:400}
.tick input{position:absolute;left:.25rem;top:.8125rem;width:1.25rem;height:1.25rem;margin:0}
.earlier{margin:0 0 1.25rem;padding:.75rem 1rem;border-radius:.75rem;background:#e4eaf5}
.earlier p{margin:0}
.earlier a{display:inline-block;padding:.625rem 0}
.again{margin:1.25rem 0 0;padding:1rem 0 0;border-top:1px solid #dbe2df}
summary{min-height:2.75rem;padding:.625rem 0 .625rem 1.125rem;text-indent:-1.125rem;font-weight:600;cursor:pointer}
table{width:100%;border-collapse:collapse;margin:1rem 0}
th,td{text-align:left;vertical-align:top;padding:.5rem 0;border-top:1px solid #dbe2df;font-weight:400}
th{color:#55635d;padding-right:.75rem;overflow-wrap:normal}
td{font-weight:500;text-wrap:balance}
.reference{word-break:break-all}
nav ul{max-width:28rem;margin:0 auto;padding:0 1rem 2rem;list-style:none;text-align:center}
nav li{display:inline-block}
nav a,nav span{display:inline-block;min-width:2.75rem;padding:.625rem .625rem}
nav span{font-weight:600}
:focus-visible{outline:3px solid #2f6fde;outline-offset:2px}
hc-checkout{display:block;min-height:90vh}
hc-checkout::part(card),hc-checkout::part(details){border-color:#dbe2df}
@media (scripting:enabled){
hc-checkout:not(:defined):not(.plain)>.card{animation:come 0s linear 8s both}
}
@keyframes come{from{visibility:hidden}to{visibility:visible}}
@media (max-width:22rem){main{padding:1rem .5rem}.card{padding:1rem}h2{font-size:1.1875rem}.state h2{padding:.5rem 0 0 3rem}}
@media (max-width:15rem){table,tbody,tr,th,td{display:block}td{padding-top:0;border:0}}
@media screen and (prefers-color-scheme:dark){
body{background:#0f1513;color:#e7eeea}
h1,.sum span,header span{color:#b4c2bb}
a{color:#4cc79a}
.card{background:#18201d;border-color:#2e3a35;box-shadow:none}
hc-checkout::part(card),hc-checkout::part(details){border-color:#2e3a35}
.mark{background:#20304d;color:#b6cdf7}
.good .mark{background:#123a2c;color:#8fe3c3}
.bad .mark{background:#4a1d18;color:#ffb9b0}
.slow .mark,.look .mark{background:#3d2d0c;color:#ffdb94}
.sum,.again,th,td{border-color:#2e3a35}
label small,.label small,.hint,.small,th{color:#a5b3ac}
.earlier{background:#20304d}
.wrong{color:#ffb0a6}
.faults{background:#2c1a18;border-color:#8a4138}
.faults a{color:#ffb0a6}
input[type=text],input[type=tel],input[type=email],select{background:#0f1513;border-color:#72807a}
input[aria-invalid=true],select[aria-invalid=true]{border-color:#f0877b}
button,.button{background:#4cc79a;border-color:#4cc79a;color:#06281d}
button:hover,.button:hover{background:#6dd3ae}
.second{background:transparent;color:#4cc79a;border-color:#72807a}
.second:hover{background:#20302a}
:focus-visible{outline-color:#9cc1ff}
}
@media (forced-colors:active){.card,button,.button,.mark,.test,.earlier{border:1px solid}}
@media print{body{background:#fff;color:#000}nav,form,.do,.again,.screen{display:none}.card{border:0;box-shadow:none;
padding:0}}
`)
