/**
 * What the page does where scripts run; without one it lacks nothing but comfort. The text is constant: whatever
 * varies it reads from the document.
 * - Nothing is touched before the first paint, which takes a while after the frame that it is of; what that left out far
 *   below is laid out then.
 * - The boxes of a strip's days are made when somebody points at it: of `noscript`, whose text they are until then, or
 *   whose elements, in a page that was parsed to be swapped in.
 * - A strip becomes one stop for the keyboard: arrows, Home and End go from day to day, as on a slider, which is how
 *   screen readers announce it. A tap does what hovering does.
 * - A time says what it is where the visitor is, to who points at it.
 * - `data-refresh` on <main> is fetched once a minute while the page is in view. A fetch that fails changes nothing:
 *   the page keeps saying when it was last updated. A new style is laid over the old one, and taken out of the text
 *   before that is parsed: the policy of the page allows no style element but the one it came with.
 */
export const script = `(function(){
var d=document
function note(i,k){var s=getComputedStyle(i),v=function(n){return s.getPropertyValue(n).trim().slice(1,-1)}
return d.querySelector('main').dataset.days.split('|')[k]+': '+(i.dataset.u||v(i.className.indexOf('blank')<0?'--full':'--none'))}
function fill(h){var n=h.querySelector('noscript');if(n)n.outerHTML=n.firstElementChild?n.innerHTML:n.textContent}
function pick(h,k){fill(h);var all=h.lastChild.children,n=all.length;k=Math.max(0,Math.min(n-1,k))
var was=h.querySelector('.on');if(was)was.classList.remove('on')
h.k=k;all[k].classList.add('on')
h.setAttribute('aria-valuenow',k+1);h.setAttribute('aria-valuetext',note(all[k],k))}
function ready(){d.querySelectorAll('time').forEach(function(t){t.title=new Date(t.dateTime).toLocaleString(d.documentElement.lang,{dateStyle:'medium',timeStyle:'long'})})
d.querySelectorAll('.history').forEach(function(h){var n=d.querySelector('main').dataset.days.split('|').length
h.tabIndex=0;h.setAttribute('role','slider');h.setAttribute('aria-valuemin',1);h.setAttribute('aria-valuemax',n)
h.k=n-1;h.setAttribute('aria-valuenow',n);h.setAttribute('aria-valuetext',h.nextSibling.lastChild.textContent)})}
d.addEventListener('pointerover',function(e){var h=e.target.closest('.history');if(h)fill(h)})
d.addEventListener('focusin',function(e){if(e.target.matches('.history'))pick(e.target,e.target.k)})
d.addEventListener('keydown',function(e){var h=e.target;if(!h.matches||!h.matches('.history'))return
var week=h.matches('.weeks')?7:1,to={ArrowLeft:h.k-week,ArrowRight:h.k+week,ArrowUp:h.k-1,ArrowDown:h.k+1,Home:0,End:1e4}[e.key]
if(to===undefined||e.altKey||e.ctrlKey||e.metaKey)return
e.preventDefault();pick(h,to)})
d.addEventListener('click',function(e){var h=e.target.closest('.history');if(!h)return
h.focus({preventScroll:true})
var k=[].indexOf.call(h.lastChild.children,d.elementFromPoint(e.clientX,e.clientY));if(k>=0)pick(h,k)})
var sheet
function restyle(css){if(css===(sheet?sheet.css:d.querySelector('style').textContent))return
if(!sheet){sheet=new CSSStyleSheet();d.adoptedStyleSheets=[sheet]}
sheet.replaceSync(css);sheet.css=css}
function swap(text){var css=''
text=text.replace(/<style>([^]*?)<\\/style>/,function(_,s){css=s;return''})
var to=new DOMParser().parseFromString(text,'text/html'),was=d.querySelector('main'),main=to.querySelector('main')
if(!main)return
var open=[].map.call(d.querySelectorAll('details[open]'),function(e){return e.id})
var at=was.contains(d.activeElement)&&d.activeElement.closest('[id]'),k=at&&at.k,say=was.querySelector('h2').textContent
was.replaceWith(main)
restyle(css)
d.querySelector('link[rel=icon]').href=to.querySelector('link[rel=icon]').href
d.title=to.title
open.forEach(function(id){var e=d.getElementById(id);if(e)e.open=true})
ready()
if(at&&(at=d.getElementById(at.id))){if(k!==undefined)pick(at,k);(at.matches('details')?at.firstChild:at).focus({preventScroll:true})}
var now=main.querySelector('h2').textContent
if(now!==say)d.getElementById('live').textContent=now}
function refresh(){var url=d.querySelector('main').dataset.refresh
if(!url||d.hidden)return
fetch(url).then(function(r){return r.ok?r.text():''}).then(swap).catch(function(){})}
requestAnimationFrame(function(){setTimeout(function(){d.documentElement.className='whole';ready()},100)})
setInterval(refresh,60000)
d.addEventListener('visibilitychange',refresh)
})()`
