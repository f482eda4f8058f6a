/** Readable on any width, in light and dark; no font or picture from anywhere. */
export const style = `
:root{color-scheme:light dark;--line:#8883;--soft:light-dark(#5b6472,#9aa4b2);--accent:light-dark(#047857,#34d399)}
body{margin:0;font:15px/1.55 system-ui,sans-serif;display:grid;grid-template-columns:18rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;border-right:1px solid var(--line);padding:1rem;box-sizing:border-box}
nav h2{font-size:.8rem;margin:1.2rem 0 .3rem;color:var(--soft);text-transform:capitalize}
nav ul{list-style:none;margin:0;padding:0}nav a{display:grid;grid-template-columns:3.6rem 1fr;padding:.15rem 0;color:inherit;text-decoration:none}
nav a:not(:has(.method)){display:block}nav a:hover{text-decoration:underline}.brand{font-weight:600;margin:0}
main{padding:1.5rem clamp(1rem,4vw,3rem);max-width:60rem}
section{border-top:1px solid var(--line);padding:1rem 0 1.5rem;scroll-margin-top:1rem}
h3{margin:.2rem 0}h4{margin:1.2rem 0 .4rem}
.method{display:inline-block;min-width:3.6rem;font:600 .72rem ui-monospace,monospace;color:var(--accent)}
.method.delete{color:light-dark(#b91c1c,#f87171)}.method.post{color:light-dark(#1d4ed8,#60a5fa)}
.method.put,.method.patch{color:light-dark(#a16207,#facc15)}
.route{margin:.2rem 0}.who,.refused{color:var(--soft);margin:.25rem 0;font-size:.9rem}
code,pre{font-family:ui-monospace,monospace;font-size:.87rem}
pre{padding:.8rem;border:1px solid var(--line);border-radius:8px;overflow:auto;max-height:28rem}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{font:600 .85rem ui-monospace,monospace;white-space:nowrap}th b{color:light-dark(#b91c1c,#f87171)}
summary{cursor:pointer;color:var(--accent)}a{color:var(--accent)}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0;border-bottom:1px solid var(--line)}}
`
