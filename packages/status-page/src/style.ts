import { dayStyle } from './history-bars.ts'
import { layoutOf } from './layout.ts'
import { paletteCss } from './palette.ts'
import type { View } from './view.ts'

// Two weights and four sizes: each font is opened, and asked for once in each size, before the first word is laid out.
const frame = `
*{box-sizing:border-box;margin:0;padding:0}
html{-webkit-text-size-adjust:100%}
body{background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Inter,"Helvetica Neue",Arial,sans-serif;border-top:4px solid var(--brand);-webkit-font-smoothing:antialiased}
.brand,main,footer{max-width:60rem;margin:0 auto;padding:0 1.25rem}
.brand{display:flex;flex-wrap:wrap;align-items:flex-start;gap:.5rem .875rem;padding-top:2.5rem}
.brand a{padding:.4375rem .875rem;border:1px solid var(--line);border-radius:.625rem;background:var(--card);font-size:.875rem;font-weight:600;text-decoration:none}.brand a:hover{text-decoration:underline}
.monogram{flex:none;width:2.5rem;height:2.5rem;border-radius:.75rem;background:var(--brand);color:var(--on-brand);box-shadow:inset 0 0 0 1px #8883;font-weight:600;font-size:1.375rem;line-height:2.5rem;text-align:center}
h1,h2,h3,b{font-weight:600}
h1{flex:1 1 7rem;padding-top:.3125rem;font-size:1.375rem;line-height:1.35;letter-spacing:-.015em;min-width:0;overflow-wrap:anywhere}
h2{font-size:1.125rem;letter-spacing:-.015em;min-width:0;overflow-wrap:anywhere}
h3{font-size:1rem;min-width:0;overflow-wrap:anywhere}
ul{list-style:none}
time{unicode-bidi:isolate}
p[dir]{text-align:left;white-space:pre-line;overflow-wrap:anywhere}
[dir=rtl] p[dir]{text-align:right}
.about{max-width:44rem;padding-top:.875rem;color:var(--soft)}
.card{background:var(--card);border:1px solid var(--line);border-radius:.875rem}
p.card{padding:1.125rem 1.25rem;color:var(--soft)}
footer{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.25rem 2rem;padding-top:2.5rem;padding-bottom:3rem;color:var(--soft);font-size:.875rem}
.more{margin-top:.875rem;padding:0 .25rem}
.pager{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1.25rem;margin-top:1.5rem;padding:0 .25rem}.pager span{color:var(--soft)}
.links{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
a{color:var(--accent);text-underline-offset:.2em}
.logo{flex:none;max-width:10rem;max-height:2.5rem;border-radius:.25rem}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.shapes{display:none}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:.25rem}`

const states = `
.icon{width:1.125em;height:1.125em;flex:none;fill:currentColor;overflow:visible}
.cut,.ring{fill:none;stroke:var(--card);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.ring{stroke:currentColor}
.ring:not(.dash){stroke-dasharray:4.2 4.1}
.state{font-weight:600}.state .icon{vertical-align:-.19em;margin-inline-end:.4375em}
.state.up,.icon.up,.incident .icon.up{color:var(--upInk)}
.state.dip,.icon.dip{color:var(--dipInk)}
.state.fall,.icon.fall{color:var(--fallInk)}
.state.blank,.icon.blank{color:var(--blankInk)}
.overall{display:flex;gap:1rem;margin-top:1.5rem;padding:1.375rem 1.5rem;border-radius:.875rem;border:1px solid;overflow-wrap:anywhere}
.overall .icon{width:2rem;height:2rem;margin-top:.125rem}
.overall h2{font-size:1.375rem;line-height:1.35}
.overall p{margin-top:.125rem}
.overall .asof{margin-top:.375rem;color:var(--soft);font-size:.875rem}
.overall.up{background:var(--upWash);border-color:color-mix(in srgb,var(--up) 35%,var(--card))}
.overall.dip{background:var(--dipWash);border-color:color-mix(in srgb,var(--dip) 40%,var(--card))}
.overall.fall{background:var(--fallWash);border-color:color-mix(in srgb,var(--fall) 35%,var(--card))}
.overall.blank{background:var(--blankWash);border-color:var(--line)}`

const lists = `
.group,.uptime{margin-top:2.25rem}
.group>header,.uptime>header{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:.125rem 1.5rem}
.group>header{padding:0 .25rem .625rem}
.group>header .state{font-size:.875rem}
.uptime{padding:1.25rem 1.5rem 1.125rem}
.uptime>header p{color:var(--soft);font-size:.875rem}
.uptime>header b{color:var(--ink);font-size:1.375rem;letter-spacing:-.015em;margin-inline-end:.375rem}
.key{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin-top:.875rem;padding-top:.75rem;border-top:1px solid var(--line);color:var(--soft);font-size:.875rem}
.key li{display:flex;align-items:center;gap:.4375rem}
.monitor{display:flex;flex-wrap:wrap;align-items:baseline;gap:.125rem 1.5rem;padding:1.125rem 1.5rem}
.monitor+.monitor,.incident+.incident{border-top:1px solid var(--line)}
.monitor h3{flex:1 1 14rem}
.now{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 1rem;font-size:.875rem;color:var(--soft)}
.now .state{order:1}
.incident{display:flex;gap:.875rem;padding:1.125rem 1.5rem}
.incident .icon{width:1.25rem;height:1.25rem;margin-top:.125rem}
.timeline{margin-top:.75rem;padding-inline-start:1rem;border-inline-start:2px solid var(--line);list-style:none}
.timeline li{display:flex;flex-wrap:wrap;gap:0 .625rem;padding:.1875rem 0;color:var(--soft);font-size:.875rem}
.timeline b{color:var(--ink)}
.incident>div{flex:1;min-width:0}
.incident p[dir]{display:block;flex-basis:100%;margin-top:.25rem;color:var(--ink)}
.timeline p[dir]{margin-top:0}
.incident details{margin-top:.25rem}.incident summary{margin-inline:0;padding-inline:0}
.incident p{display:flex;flex-wrap:wrap;gap:0 1rem;margin-top:.125rem;color:var(--soft);font-size:.875rem;overflow-wrap:anywhere}`

// A strip is one picture. Over it lie boxes for who points at a day, which are there while the pointer or the focus is.
const bars = `
.history{direction:ltr;width:100%;height:2.25rem;margin-top:.5rem;counter-reset:day}
.history svg{display:block;width:100%;height:100%}
.history path{fill:none;stroke:var(--up);stroke-dasharray:.8 .2}
.history .dip{stroke:var(--dip)}.history .fall{stroke:var(--fall)}.history .blank{stroke:var(--blank)}
.history,.key i{forced-color-adjust:none;print-color-adjust:exact}
.uptime .history{height:2.75rem;margin-top:.75rem}
.uptime .ends b{display:none}
.key i{flex:none;width:.375rem;height:1.125rem;border-radius:1.5px;background:var(--up)}
.key .dip{background:linear-gradient(var(--up) 52%,var(--card) 52% 60%,var(--dip) 60%)}
.key .fall{background:var(--fall)}
.key .blank{height:.4375rem;background:var(--blank)}
.history div{display:none}
.history:is(:hover,:focus){position:relative}
.history:is(:hover,:focus) div{display:flex;position:absolute;inset:0}
.history i{flex:1 1 0;position:relative;counter-increment:day}
.history i:hover,.history:focus .on{outline:1.5px solid var(--ink);border-radius:1.5px;z-index:1}
.history i:hover::after,.history:focus:not(:hover) .on::after{content:counter(day,day) "\\a " var(--full);position:absolute;z-index:2;bottom:calc(100% + .375rem);left:50%;transform:translateX(var(--p,0));padding:.375rem .625rem;border-radius:.5rem;background:var(--ink);color:var(--card);font-size:.875rem;line-height:1.4;font-style:normal;white-space:pre;pointer-events:none}
.history i[data-u]:hover::after,.history:focus:not(:hover) .on[data-u]::after{content:counter(day,day) "\\a " attr(data-u)}
.history .blank:hover::after,.history:focus:not(:hover) .on.blank::after{content:counter(day,day) "\\a " var(--none)}
.history.weeks{height:4.8125rem}.weeks .blank{stroke-dasharray:.28 .72}
.weeks:is(:hover,:focus) div{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);grid-template-rows:repeat(7,1fr)}
.key.weeks .dip{background:linear-gradient(var(--up) 42%,var(--card) 42% 52%,var(--dip) 52%)}
.key.weeks i{width:.875rem;height:.625rem}
.key.weeks .blank{width:.25rem;height:.25rem;margin:0 .3125rem}
.ends{display:flex;justify-content:space-between;gap:.75rem;direction:ltr;width:100%;margin-top:.3125rem;color:var(--soft);font-size:.875rem}
.ends b{color:var(--ink);text-align:center}.ends span{flex:1 0 auto}.ends span:last-child{text-align:end}
details{width:100%;color:var(--soft);font-size:.875rem}
summary{width:fit-content;margin:.125rem auto 0;padding:.125rem .375rem;cursor:pointer}
summary:hover{color:var(--accent)}
details>ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:.125rem 1.5rem;margin-top:.375rem;padding:.625rem .875rem;border-radius:.5rem;background:var(--page);font-variant-numeric:tabular-nums}
details>ul li{display:flex;justify-content:space-between;gap:.75rem}
details b{color:var(--ink)}
details .dip b{color:var(--dipInk)}
details .fall b{color:var(--fallInk)}`

const forms = `
[role=alert]{color:var(--fallInk);font-weight:600}
[aria-invalid]{border-color:var(--fallInk)!important;outline-color:var(--fallInk)}
form{display:grid;gap:.5rem;max-width:26rem;margin-top:1.25rem}
input[type=email]{font:inherit;padding:.5rem .75rem;min-height:2.75rem;border:1px solid var(--blankInk);border-radius:.5rem;background:var(--card);color:var(--ink)}
button{font:inherit;font-weight:600;min-height:2.75rem;padding:.5rem 1.25rem;border:0;border-radius:.5rem;background:var(--brand);color:var(--on-brand);box-shadow:inset 0 0 0 1px #8886;cursor:pointer;justify-self:start}
.note{margin-top:1.5rem;padding:1.5rem}
.note p{margin-top:.5rem}`

const narrow = `
@media(max-width:40rem){.brand{padding-top:1.75rem}.brand,main,footer{padding-left:1rem;padding-right:1rem}.overall{padding:1.125rem 1rem;gap:.75rem}.overall h2{font-size:1.125rem}.overall .icon{width:1.75rem;height:1.75rem}.uptime,.monitor,.incident{padding-left:1rem;padding-right:1rem}.monitor h3{flex-basis:100%}.now{width:100%}.timeline{padding-inline-start:.75rem}.now .state{order:0}}`

// With so many monitors, at first only those near the screen are laid out: the first paint costs no more than them. The
// script has the others follow at once. A day's note may stand out above its row.
const manyMonitors = 24
const lazy =
  ':root:not(.whole) .monitor{content-visibility:auto;contain-intrinsic-size:auto 7.5rem;overflow-clip-margin:3rem}@media print{:root:not(.whole) .monitor{content-visibility:visible}}'
const lazyCompact = ':root:not(.whole) .monitor{contain-intrinsic-size:auto 3rem}'

const sheet = (frame + states + lists + bars + narrow).replaceAll('\n', '')

// More on one screen: for a page with many monitors, or one that hangs on a wall.
const compact = `
body{font-size:14px}
.brand{padding-top:1.25rem}.brand,main,footer{max-width:72rem}
h1{font-size:1.125rem;padding-top:.5rem}
.overall{margin-top:1rem;padding:.75rem 1rem;align-items:center}
.overall h2{font-size:1.125rem}.overall .icon{width:1.5rem;height:1.5rem}
.group,.uptime{margin-top:1.25rem}
.monitor,.incident{padding:.5rem 1rem}
.history{height:1.25rem;margin-top:.25rem}.uptime .history{height:1.5rem}
.uptime{padding:.75rem 1rem}
.monitor .ends span{display:none}.monitor .ends{width:auto;margin:0}
@media(min-width:60rem){.monitor{display:grid;grid-template-columns:12rem 1fr auto 1.5rem 13.5rem;align-items:center;gap:0 1rem}.monitor h3{font-size:.875rem}.monitor .history{grid-column:2;grid-row:1;margin:0}.monitor .ends{grid-column:3;grid-row:1;min-width:10rem;justify-content:flex-end}.monitor .now{grid-column:5;grid-row:1;justify-content:flex-end}.monitor details{grid-column:4;grid-row:1}.monitor details[open]{grid-column:1/-1;grid-row:2}.monitor details:not([open]) summary{display:flex;align-items:center;justify-content:center;width:1.5rem;height:1.5rem;margin:0;font-size:0}.monitor details:not([open]) summary::before{content:"";border-block:.3125rem solid transparent;border-inline-start:.5rem solid}}`.replaceAll(
  '\n',
  '',
)

/** What is the same for the page and the small ones beside it: its colours, its frame. */
export function frameOf(view: Pick<View, 'payload'>): string {
  const { primary_color, layout } = view.payload.theme
  return paletteCss(primary_color, layoutOf(layout).scheme) + (frame + forms).replaceAll('\n', '')
}

/** The whole style of the page. */
export function styleOf(view: View): string {
  const { primary_color, layout } = view.payload.theme
  const many = view.payload.monitors.length > manyMonitors
  const { scheme, compact: dense } = layoutOf(layout)
  return (
    paletteCss(primary_color, scheme) +
    sheet +
    (dense ? compact : '') +
    (many ? lazy + (dense ? lazyCompact : '') : '') +
    dayStyle(view)
  )
}
