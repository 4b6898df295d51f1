// Cuts parts of Lit that the element does not use from the bundles: 1.1 kB of 19. Each cut quotes Lit's published code, so that another release
// of Lit stops the build instead of being half cut: then review each cut. The npm modules use Lit as it is.

type Cut = readonly [from: string, to: string]

/** lit-html without directives, and without bindings of elements or in comments, scripts and styles. */
const html: readonly Cut[] = [
  // Directives: none are used.
  [
    'function M(t,i,s=t,e){if(i===E)return i;let h=void 0!==e?s._$Co?.[e]:s._$Cl;const o=a(i)?void 0:i._$litDirective$;return h?.constructor!==o&&(h?._$AO?.(!1),void 0===o?h=void 0:(h=new o(t),h._$AT(t,s,e)),void 0!==e?(s._$Co??=[])[e]=h:s._$Cl=h),void 0!==h&&(i=M(t,h._$AS(t,i.values),h,e)),i}',
    '',
  ],
  ['_$AI(t,i=this){t=M(this,t,i),a(t)?', '_$AI(t){a(t)?'],
  ['t!==this._$AH&&t!==E&&this._(t)', 't!==this._$AH&&this._(t)'],
  [
    '_$AI(t,i=this,s,e){const h=this.strings;let o=!1;if(void 0===h)t=M(this,t,i,0),o=!a(t)||t!==this._$AH&&t!==E,o&&(this._$AH=t)',
    '_$AI(t,s){const h=this.strings;let o=!1;if(void 0===h)o=t!==this._$AH,this._$AH=t',
  ],
  ['r=M(this,e[s+n],i,n),r===E&&(r=this._$AH[n]),o||=!a(r)||r!==this._$AH[n],', 'r=e[s+n],o||=r!==this._$AH[n],'],
  ['o&&!e&&this.j(t)', 'o&&this.j(t)'],
  ['s._$AI(t,s,i)', 's._$AI(t,i)'],
  // Connection state and parents, which only directives need.
  [
    'this._$AN=void 0,this._$AD=t,this._$AM=i}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}',
    'this._$AD=t}',
  ],
  ['get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(t,i,s,e){this.type=2,', 'constructor(t,i,e){'],
  [
    'this._$AN=void 0,this._$AA=t,this._$AB=i,this._$AM=s,this.options=e,this._$Cv=e?.isConnected??!0}',
    'this._$AA=t,this._$AB=i,this.options=e}',
  ],
  [
    'get parentNode(){let t=this._$AA.parentNode;const i=this._$AM;return void 0!==i&&11===t?.nodeType&&(t=i.parentNode),t}get startNode(){return this._$AA}get endNode(){return this._$AB}',
    '',
  ],
  [
    '_$AR(t=this._$AA.nextSibling,s){for(this._$AP?.(!1,!0,s);t!==this._$AB;)',
    '_$AR(t=this._$AA.nextSibling){for(;t!==this._$AB;)',
  ],
  ['this._$AR(s&&s._$AB.nextSibling,e)', 'this._$AR(s&&s._$AB.nextSibling)'],
  ['this.O(c()),this.O(c()),this,this.options', 'this.O(c()),this.O(c()),this.options'],
  ['setConnected(t){void 0===this._$AM&&(this._$Cv=t,this._$AP?.(t))}', ''],
  [
    'get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(t,i,s,e,h){this.type=1,',
    'constructor(t,i,s,h){',
  ],
  ['this._$AN=void 0,this.element=t,this.name=i,this._$AM=e,', 'this.element=t,this.name=i,'],
  // Element parts: only child and attribute parts are used.
  [
    'class Z{constructor(t,i,s){this.element=t,this.type=6,this._$AN=void 0,this._$AM=i,this.options=s}get _$AU(){return this._$AM._$AU}_$AI(t){M(this,t)}}',
    '',
  ],
  [
    '2===r.type?i=new k(h,h.nextSibling,this,t):1===r.type?i=new r.ctor(h,r.name,r.strings,this,t):6===r.type&&(i=new Z(h,this,t)),',
    'i=r.ctor?new r.ctor(h,r.name,r.strings,t):new k(h,h.nextSibling,t),',
  ],
  ['else t.startsWith(o)&&(d.push({type:6,index:l}),r.removeAttribute(t))', ''],
  [
    'if(y.test(r.tagName)){const t=r.textContent.split(o),i=t.length-1;if(i>0){r.textContent=s?s.emptyScript:"";for(let s=0;s<i;s++)r.append(t[s],c()),P.nextNode(),d.push({type:2,index:++l});r.append(t[i],c())}}',
    '',
  ],
  [
    'else if(8===r.nodeType)if(r.data===n)d.push({type:2,index:l});else{let t=-1;for(;-1!==(t=r.data.indexOf(o,t+1));)d.push({type:7,index:l}),t+=o.length-1}l++',
    'else r.data===n&&d.push({index:l});l++',
  ],
  // A listener is always a function, and is never replaced or removed.
  [
    'constructor(t,i,s,e,h){super(t,i,s,e,h),this.type=5}_$AI(t,i=this){if((t=M(this,t,i,0)??A)===E)return;const s=this._$AH,e=t===A&&s!==A||t.capture!==s.capture||t.once!==s.once||t.passive!==s.passive,h=t!==A&&(s===A||e);e&&this.element.removeEventListener(this.name,this,s),h&&this.element.addEventListener(this.name,this,t),this._$AH=t}',
    '_$AI(t){this._$AH===A&&this.element.addEventListener(this.name,this),this._$AH=t}',
  ],
  [
    'D=(t,i,s)=>{const e=s?.renderBefore??i;let h=e._$litPart$;if(void 0===h){const t=s?.renderBefore??null;e._$litPart$=h=new k(i.insertBefore(c(),t),t,void 0,s??{})}return h._$AI(t),h}',
    'D=(t,i,s={})=>{let h=i._$litPart$;if(!h){const t=s.renderBefore||null;i._$litPart$=h=new k(i.insertBefore(c(),t),t,s)}h._$AI(t)}',
  ],
  [
    'const j={M:h,P:o,A:n,C:1,L:N,R,D:d,V:M,I:k,H,N:L,U:z,B:I,F:Z},B=t.litHtmlPolyfillSupport;B?.(S,k),(t.litHtmlVersions??=[]).push("3.3.3");',
    '',
  ],
  ['export{j as _$LH,', 'export{'],
]

/** LitElement without support for directives and polyfills. */
const element: readonly Cut[] = [
  [
    'this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(t),this._$Do=e(r,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return r}}',
    'super.update(t),e(r,this.renderRoot,this.renderOptions)}}',
  ],
  [',s.litElementHydrateSupport?.({LitElement:i});const o=s.litElementPolyfillSupport;o?.({LitElement:i});', ';'],
  ['(s.litElementVersions??=[]).push("4.2.2");', ''],
]

/** ReactiveElement for one class with plain properties: strings, numbers and booleans, named for their attributes, without decorators. */
const reactive: readonly Cut[] = [
  [',p?.({ReactiveElement:y}),(a.reactiveElementVersions??=[]).push("2.1.2")', ''],
  [
    'switch(s){case Boolean:t=t?l:null;break;case Object:case Array:t=null==t?t:JSON.stringify(t)}return t',
    'return s===Boolean?t?l:null:t',
  ],
  [
    'let i=t;switch(s){case Boolean:i=null!==t;break;case Number:i=null===t?null:Number(t);break;case Object:case Array:try{i=JSON.parse(t)}catch(t){i=null}}return i',
    'return s===Boolean?null!==t:s===Number&&null!==t?Number(t):t',
  ],
  [
    'b={attribute:!0,type:String,converter:u,reflect:!1,useDefault:!1,hasChanged:f};Symbol.metadata??=Symbol("metadata"),a.litPropertyMetadata??=new WeakMap;',
    'b={};',
  ],
  ['static addInitializer(t){this._$Ei(),(this.l??=[]).push(t)}', ''],
  [
    'if(s.state&&(s.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(t)&&((s=Object.create(s)).wrapped=!0),this.elementProperties.set(t,s),!s.noAccessor){const i=Symbol(),h=this.getPropertyDescriptor(t,i,s);void 0!==h&&e(this.prototype,t,h)}',
    'this.elementProperties.set(t,s),e(this.prototype,t,this.getPropertyDescriptor(t,Symbol(),s))',
  ],
  [
    'const{get:e,set:r}=h(this.prototype,t)??{get(){return this[s]},set(t){this[s]=t}};return{get:e,set(s){const h=e?.call(this);r?.call(this,s),this.requestUpdate(t,h,i)}',
    'return{get(){return this[s]},set(r){const h=this[s];this[s]=r,this.requestUpdate(t,h,i)}',
  ],
  [
    'const t=this[Symbol.metadata];if(null!==t){const s=litPropertyMetadata.get(t);if(void 0!==s)for(const[t,i]of s)this.elementProperties.set(t,i)}',
    '',
  ],
  [
    'static finalizeStyles(s){const i=[];if(Array.isArray(s)){const e=new Set(s.flat(1/0).reverse());for(const s of e)i.unshift(t(s))}else void 0!==s&&i.push(t(s));return i}',
    'static finalizeStyles(s){return[s]}',
  ],
  [
    'h="function"==typeof t.converter?{fromAttribute:t.converter}:void 0!==t.converter?.fromAttribute?t.converter:u;this._$Em=e;const r=h.fromAttribute(s,t.type);this[e]=r??this._$Ej?.get(e)??r,this._$Em=null',
    'r=u.fromAttribute(s,t.type);this._$Em=e,this[e]=r,this._$Em=null',
  ],
  [
    'requestUpdate(t,s,i,e=!1,h){if(void 0!==t){const r=this.constructor;if(!1===e&&(h=this[t]),i??=r.getPropertyOptions(t),!((i.hasChanged??f)(h,s)||i.useDefault&&i.reflect&&h===this._$Ej?.get(t)&&!this.hasAttribute(r._$Eu(t,i))))return;this.C(t,s,i)}',
    'requestUpdate(t,s,i){if(void 0!==t){if(!f(this[t],s))return;this.C(t,s,i)}',
  ],
  [
    'C(t,s,{useDefault:i,reflect:e,wrapped:h},r){i&&!(this._$Ej??=new Map).has(t)&&(this._$Ej.set(t,r??s??this[t]),!0!==h||void 0!==r)||(this._$AL.has(t)||(this.hasUpdated||i||(s=void 0),this._$AL.set(t,s)),!0===e&&this._$Em!==t&&(this._$Eq??=new Set).add(t))}',
    'C(t,s,{reflect:e}){this._$AL.has(t)||this._$AL.set(t,this.hasUpdated?s:void 0),e&&this._$Em!==t&&(this._$Eq??=new Set).add(t)}',
  ],
  [
    'const t=this.constructor.elementProperties;if(t.size>0)for(const[s,i]of t){const{wrapped:t}=i,e=this[s];!0!==t||this._$AL.has(s)||void 0===e||this.C(s,void 0,i,e)}',
    '',
  ],
]

/** Style sheets, made only by `unsafeCSS`, each once. */
const sheets: readonly Cut[] = [
  [
    'constructor(t,e,o){if(this._$cssResult$=!0,o!==s)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=t,this.t=e}',
    'constructor(t){this.cssText=t}',
  ],
  [
    'let t=this.o;const s=this.t;if(e&&void 0===t){const e=void 0!==s&&1===s.length;e&&(t=o.get(s)),void 0===t&&((this.o=t=new CSSStyleSheet).replaceSync(this.cssText),e&&o.set(s,t))}return t}toString(){return this.cssText}',
    'return this.o||(this.o=new CSSStyleSheet).replaceSync(this.cssText),this.o}',
  ],
]

const cuts: Readonly<Record<string, readonly Cut[]>> = {
  'lit-html.js': html,
  'lit-element.js': element,
  'reactive-element.js': reactive,
  'css-tag.js': sheets,
}

/** Returns one of Lit's files without the unused parts. */
export function cutLit(source: string, id: string): string {
  let code = source
  for (const [from, to] of cuts[id.replace(/^.*\//, '')] ?? []) {
    if (!code.includes(from))
      throw new Error(`Lit has changed, and widget/lit-cuts.ts with it must: ${id} has no ${from}`)
    code = code.replace(from, () => to)
  }
  return code
}
