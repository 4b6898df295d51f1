// Cuts parts of Lit that the element does not use from the bundles: 2 kB of 19. Each cut quotes Lit's published code, so that another release
// of Lit stops the build instead of being half cut: then review each cut. The npm modules use Lit as it is.

type Cut = readonly [from: string, to: string]

/** lit-html for the templates of `html` alone (test/widget/templates.test.ts): without directives, and bindings only in attributes and between tags. */
const html: readonly Cut[] = [
  // Templates are HTML, and an SVG within one is too; they are not compiled in advance.
  [
    'x=t=>(i,...s)=>({_$litType$:t,strings:i,values:s}),b=x(1),w=x(2),T=x(3),E=Symbol.for("lit-noChange"),',
    'b=(t,...i)=>({strings:t,values:i}),',
  ],
  ['T as mathml,E as noChange,', ''],
  [',w as svg', ''],
  ['l=2===i?"<svg>":3===i?"<math>":"",', 'l="",'],
  ['+(2===i?"</svg>":3===i?"</math>":"")', ''],
  ['{strings:t,_$litType$:i},e){let r;', 't){let r;'],
  ['[f,v]=N(t,i)', '[f,v]=N(t)'],
  [
    'if(this.el=S.createElement(f,e),P.currentNode=this.el.content,2===i||3===i){const t=this.el.content.firstChild;t.replaceWith(...t.childNodes)}',
    'this.el=document.createElement("template"),this.el.innerHTML=f,P.currentNode=this.el.content;',
  ],
  ['static createElement(t,i){const s=l.createElement("template");return s.innerHTML=t,s}', ''],
  [
    '$(t){const{values:i,_$litType$:s}=t,e="number"==typeof s?this._$AC(t):(void 0===s.el&&(s.el=S.createElement(V(s.h,s.h[0]),this.options)),s);',
    '$({strings:t,values:i}){let e=C.get(t);e||C.set(t,e=new S(t));',
  ],
  ['_$AC(t){let i=C.get(t.strings);return void 0===i&&C.set(t.strings,i=new S(t)),i}', ''],
  ['(t?.creationScope??l).importNode', 'l.importNode'],
  // They have no comments, and no expression stands for a tag's or an attribute's name, or within an element that holds only text.
  ['v=/<(?:(!--|\\/[^a-zA-Z])|(\\/?[a-zA-Z][^>\\s]*)|(\\/?$))/g,_=/-->/g,m=/>/g', 'v=/<\\/?[a-zA-Z][^>\\s]*/g'],
  [',y=/^(?:script|style|textarea|title)$/i', ''],
  ['const s=t.length-1,e=[];let n,l', 'const s=t.length-1,e=[];let l'],
  [
    '"!--"===u[1]?c=_:void 0!==u[1]?c=m:void 0!==u[2]?(y.test(u[2])&&(n=RegExp("</"+u[2],"g")),c=p):void 0!==u[3]&&(c=p)',
    'c=p',
  ],
  ['(c=n??v,d=-1):void 0===u[1]?d=-2:(', '(c=v,d=-1):('],
  ['c===$||c===g?c=p:c===_||c===m?c=v:(c=p,n=void 0)', 'c=p'],
  // Within a tag they have one space where one is needed (`tightTemplates` in build-plugins.ts), no single quotes, and none ends with an expression.
  ['f="[ \\t\\n\\f\\r]",', ''],
  [
    'p=RegExp(`>|${f}(?:([^\\\\s"\'>=/]+)(${f}*=${f}*(?:[^ \\t\\n\\f\\r"\'\\`<>=]|("|\')|))|$)`,"g"),g=/\'/g,',
    'p=/>| ([^ =>]+)=("?)/g,',
  ],
  ['d=c.lastIndex-u[2].length,', 'd=c.lastIndex-1-u[2].length,'],
  ["c=void 0===u[3]?p:'\"'===u[3]?$:g", 'c=u[2]?$:p'],
  ['f<s.length&&(c.lastIndex=f,u=c.exec(s),null!==u)', 'c.lastIndex=f,u=c.exec(s)'],
  ['const x=c===p&&t[i+1].startsWith("/>")?" ":"";', ''],
  ['s.slice(d)+o+x):s+o+(-2===d?i:x)', 's.slice(d)+o):s+o'],
  ['(t[s]||"<?>")', 't[s]'],
  // What they show is text, a template or an array of these.
  ['d=t=>u(t)||"function"==typeof t?.[Symbol.iterator],', ''],
  ['a=t=>null===t||"object"!=typeof t&&"function"!=typeof t,', ''],
  ['a(this._$AH)', '"object"!=typeof this._$AH'],
  // Directives: none are used.
  [
    'function M(t,i,s=t,e){if(i===E)return i;let h=void 0!==e?s._$Co?.[e]:s._$Cl;const o=a(i)?void 0:i._$litDirective$;return h?.constructor!==o&&(h?._$AO?.(!1),void 0===o?h=void 0:(h=new o(t),h._$AT(t,s,e)),void 0!==e?(s._$Co??=[])[e]=h:s._$Cl=h),void 0!==h&&(i=M(t,h._$AS(t,i.values),h,e)),i}',
    '',
  ],
  [
    '_$AI(t,i=this){t=M(this,t,i),a(t)?t===A||null==t||""===t?(this._$AH!==A&&this._$AR(),this._$AH=A):t!==this._$AH&&t!==E&&this._(t):void 0!==t._$litType$?this.$(t):void 0!==t.nodeType?this.T(t):d(t)?this.k(t):this._(t)}',
    '_$AI(t){t&&t.strings?this.$(t):u(t)?this.k(t):t===A||null==t||""===t?(this._$AR(),this._$AH=A):t!==this._$AH&&this._(t)}',
  ],
  [
    '_$AI(t,i=this,s,e){const h=this.strings;let o=!1;if(void 0===h)t=M(this,t,i,0),o=!a(t)||t!==this._$AH&&t!==E,o&&(this._$AH=t)',
    '_$AI(t,s){const h=this.strings;let o=!1;if(void 0===h)o=t!==this._$AH,this._$AH=t',
  ],
  ['r=M(this,e[s+n],i,n),r===E&&(r=this._$AH[n]),o||=!a(r)||r!==this._$AH[n],', 'r=e[s+n],o||=r!==this._$AH[n],'],
  ['o&&!e&&this.j(t)', 'o&&this.j(t)'],
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
  ['this._$AH=A,this._$AN=void 0,this.element=t,this.name=i,this._$AM=e,', 'this.element=t,this.name=i,'],
  ['s.length>2||""!==s[0]||""!==s[1]?', 's.length>2||s[0]||s[1]?'],
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
    '"function"==typeof this._$AH?this._$AH.call(this.options?.host??this.element,t):this._$AH.handleEvent(t)',
    'this._$AH.call(this.options.host,t)',
  ],
  // The oldest browser has no toggleAttribute.
  [
    'j(t){this.element.toggleAttribute(this.name,!!t&&t!==A)}',
    'j(t){t?this.element.setAttribute(this.name,""):this.element.removeAttribute(this.name)}',
  ],
  ['I extends H{constructor(){super(...arguments),this.type=3}', 'I extends H{'],
  ['L extends H{constructor(){super(...arguments),this.type=4}', 'L extends H{'],
  ['d.push({type:1,index:l,', 'd.push({index:l,'],
  // A property and a boolean attribute always have a value, and so has each of several expressions in one attribute.
  ['this.element[this.name]=t===A?void 0:t', 'this.element[this.name]=t'],
  ['Array(s.length-1).fill(new String)', '[]'],
  ['r===A?t=A:t!==A&&(t+=(r??"")+h[n+1])', 't+=r+h[n+1]'],
  [
    'void 0!==s&&(void 0!==s.strings?(s._$AI(t,s,i),i+=s.strings.length-2):s._$AI(t[i])),i++',
    's.strings?(s._$AI(t,i),i+=s.strings.length-2):s._$AI(t[i]),i++',
  ],
  ['if(r.hasAttributes())for', 'for'],
  ['null!==(r=P.nextNode())', '(r=P.nextNode())'],
  ['void 0!==r;', 'r;'],
  ['const s=i(t).nextSibling;i(t).remove(),t=s', 'const s=t.nextSibling;t.remove(),t=s'],
  // One part to a container, at its end.
  [
    'D=(t,i,s)=>{const e=s?.renderBefore??i;let h=e._$litPart$;if(void 0===h){const t=s?.renderBefore??null;e._$litPart$=h=new k(i.insertBefore(c(),t),t,void 0,s??{})}return h._$AI(t),h}',
    'D=(t,i,s={})=>{(i._$litPart$??=new k(i.appendChild(c()),null,s))._$AI(t)}',
  ],
  [
    'const j={M:h,P:o,A:n,C:1,L:N,R,D:d,V:M,I:k,H,N:L,U:z,B:I,F:Z},B=t.litHtmlPolyfillSupport;B?.(S,k),(t.litHtmlVersions??=[]).push("3.3.3");',
    '',
  ],
  ['export{j as _$LH,', 'export{'],
]

/** LitElement without support for directives and polyfills; what is rendered may stand after the style elements of old browsers. */
const element: readonly Cut[] = [
  [',noChange as r', ''],
  [
    'super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){const t=super.createRenderRoot();return this.renderOptions.renderBefore??=t.firstChild,t}',
    'super(),this.renderOptions={host:this}}',
  ],
  [
    'this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(t),this._$Do=e(r,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return r}}',
    'super.update(t),e(r,this.renderRoot,this.renderOptions)}}',
  ],
  [
    'i._$litElement$=!0,i["finalized"]=!0,s.litElementHydrateSupport?.({LitElement:i});const o=s.litElementPolyfillSupport;o?.({LitElement:i});',
    '',
  ],
  ['(s.litElementVersions??=[]).push("4.2.2");', ''],
]

/**
 * ReactiveElement for one class, whose properties are strings, numbers and booleans, named for their attributes (`payerName` for `payer-name`), without decorators; which has
 * one style sheet, `willUpdate`, `firstUpdated` and `updated` of its own, a controller from the start, and always updates.
 */
const reactive: readonly Cut[] = [
  // Finishing the class: its accessors, and which attribute sets which property.
  [
    'static addInitializer(t){this._$Ei(),(this.l??=[]).push(t)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(t,s=b){if(s.state&&(s.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(t)&&((s=Object.create(s)).wrapped=!0),this.elementProperties.set(t,s),!s.noAccessor){const i=Symbol(),h=this.getPropertyDescriptor(t,i,s);void 0!==h&&e(this.prototype,t,h)}}static getPropertyDescriptor(t,s,i){const{get:e,set:r}=h(this.prototype,t)??{get(){return this[s]},set(t){this[s]=t}};return{get:e,set(s){const h=e?.call(this);r?.call(this,s),this.requestUpdate(t,h,i)},configurable:!0,enumerable:!0}}static getPropertyOptions(t){return this.elementProperties.get(t)??b}static _$Ei(){if(this.hasOwnProperty(d("elementProperties")))return;const t=n(this);t.finalize(),void 0!==t.l&&(this.l=[...t.l]),this.elementProperties=new Map(t.elementProperties)}static finalize(){if(this.hasOwnProperty(d("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(d("properties"))){const t=this.properties,s=[...r(t),...o(t)];for(const i of s)this.createProperty(i,t[i])}const t=this[Symbol.metadata];if(null!==t){const s=litPropertyMetadata.get(t);if(void 0!==s)for(const[t,i]of s)this.elementProperties.set(t,i)}this._$Eh=new Map;for(const[t,s]of this.elementProperties){const i=this._$Eu(t,s);void 0!==i&&this._$Eh.set(i,t)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(s){const i=[];if(Array.isArray(s)){const e=new Set(s.flat(1/0).reverse());for(const s of e)i.unshift(t(s))}else void 0!==s&&i.push(t(s));return i}static _$Eu(t,s){const i=s.attribute;return!1===i?void 0:"string"==typeof i?i:"string"==typeof t?t.toLowerCase():void 0}',
    'static get observedAttributes(){if(!this._$Eh){this._$Eh=new Map;for(const t of r(this.properties)){const s=this.properties[t],i=Symbol(),h=this._$Eu(t,s);e(this.prototype,t,{get(){return this[i]},set(e){const h=this[i];this[i]=e,this.requestUpdate(t,h,s)},configurable:!0,enumerable:!0}),h&&this._$Eh.set(h,t)}}return[...this._$Eh.keys()]}static _$Eu(t,{attribute:s}){return null==s?t.replace(/[A-Z]/g,"-$&").toLowerCase():s}',
  ],
  [
    'y.elementStyles=[],y.shadowRootOptions={mode:"open"},y[d("elementProperties")]=new Map,y[d("finalized")]=new Map,p?.({ReactiveElement:y}),(a.reactiveElementVersions??=[]).push("2.1.2")',
    '',
  ],
  [
    'this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions)',
    'this.shadowRoot||this.attachShadow({mode:"open"})',
  ],
  ['s(t,this.constructor.elementStyles)', 's(t,[this.constructor.styles])'],
  [
    ',b={attribute:!0,type:String,converter:u,reflect:!1,useDefault:!1,hasChanged:f};Symbol.metadata??=Symbol("metadata"),a.litPropertyMetadata??=new WeakMap;',
    ';',
  ],
  // Attributes and properties.
  [
    ',a=globalThis,c=a.trustedTypes,l=c?c.emptyScript:"",p=a.reactiveElementPolyfillSupport,d=(t,s)=>t,u={toAttribute(t,s){switch(s){case Boolean:t=t?l:null;break;case Object:case Array:t=null==t?t:JSON.stringify(t)}return t},fromAttribute(t,s){let i=t;switch(s){case Boolean:i=null!==t;break;case Number:i=null===t?null:Number(t);break;case Object:case Array:try{i=JSON.parse(t)}catch(t){i=null}}return i}},f=(t,s)=>!i(t,s)',
    '',
  ],
  [',u as defaultConverter', ''],
  [',f as notEqual', ''],
  [
    'const t=new Map,s=this.constructor.elementProperties;for(const i of s.keys())this.hasOwnProperty(i)&&(t.set(i,this[i]),delete this[i]);t.size>0&&(this._$Ep=t)',
    'this._$Ep={};for(const i of r(this.constructor.properties))this.hasOwnProperty(i)&&(this._$Ep[i]=this[i],delete this[i])',
  ],
  [
    'const i=this.constructor.elementProperties.get(t),e=this.constructor._$Eu(t,i);if(void 0!==e&&!0===i.reflect){const h=(void 0!==i.converter?.toAttribute?i.converter:u).toAttribute(s,i.type);this._$Em=t,null==h?this.removeAttribute(e):this.setAttribute(e,h),this._$Em=null}}',
    'const i=this.constructor.properties[t],e=this.constructor._$Eu(t,i),h=i.type===Boolean?s?"":null:s;this._$Em=t,null==h?this.removeAttribute(e):this.setAttribute(e,h),this._$Em=null}',
  ],
  [
    'const t=i.getPropertyOptions(e),h="function"==typeof t.converter?{fromAttribute:t.converter}:void 0!==t.converter?.fromAttribute?t.converter:u;this._$Em=e;const r=h.fromAttribute(s,t.type);this[e]=r??this._$Ej?.get(e)??r,this._$Em=null',
    'const{type:h}=i.properties[e];this._$Em=e,this[e]=h===Boolean?null!==s:h===Number&&null!==s?Number(s):s,this._$Em=null',
  ],
  // `willUpdate` only asks which properties have changed, not from what.
  [
    'requestUpdate(t,s,i,e=!1,h){if(void 0!==t){const r=this.constructor;if(!1===e&&(h=this[t]),i??=r.getPropertyOptions(t),!((i.hasChanged??f)(h,s)||i.useDefault&&i.reflect&&h===this._$Ej?.get(t)&&!this.hasAttribute(r._$Eu(t,i))))return;this.C(t,s,i)}',
    'requestUpdate(t,s,e){if(t){if(i(this[t],s))return;this._$AL.set(t,s),e.reflect&&this._$Em!==t&&(this._$Eq??=new Set).add(t)}',
  ],
  [
    'C(t,s,{useDefault:i,reflect:e,wrapped:h},r){i&&!(this._$Ej??=new Map).has(t)&&(this._$Ej.set(t,r??s??this[t]),!0!==h||void 0!==r)||(this._$AL.has(t)||(this.hasUpdated||i||(s=void 0),this._$AL.set(t,s)),!0===e&&this._$Em!==t&&(this._$Eq??=new Set).add(t))}',
    '',
  ],
  // The life of an instance.
  ['this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){', ''],
  ['!1===this.isUpdatePending&&', 'this.isUpdatePending||'],
  [',this.constructor.l?.forEach(t=>t(this))', ''],
  ['(this._$EO??=new Set).add(t)', 'this._$EO.add(t)'],
  ['this._$AL=new Map,this._$E_()', 'this._$AL=new Map,this._$EO=new Set,this._$E_()'],
  ['removeController(t){this._$EO?.delete(t)}', ''],
  ['this._$EO?.forEach(t=>t.hostConnected?.())', 'this._$EO.forEach(t=>t.hostConnected())'],
  ['this._$EO?.forEach(t=>t.hostDisconnected?.())', 'this._$EO.forEach(t=>t.hostDisconnected?.())'],
  [
    '_$AE(t){this._$EO?.forEach(t=>t.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(t)),this.updated(t)}',
    'this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated()),this.updated()}',
  ],
  ['attributeChangedCallback(t,s,i){this._$AK(t,i)}', ''],
  ['_$AK(t,s){const i=this', 'attributeChangedCallback(t,r,s){const i=this'],
  ['void 0!==e&&this._$Em!==e', 'this._$Em!==e'],
  [
    '{if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(const[t,s]of this._$Ep)this[t]=s;this._$Ep=void 0}',
    '{',
  ],
  // What the page has set before the upgrade is set again at once: until the first render, a task later, the page may set it anew.
  ['connectedCallback(){', 'connectedCallback(){Object.assign(this,this._$Ep),this._$Ep=0,'],
  [',void 0!==this.renderRoot&&this.isConnected&&t.hostConnected?.()', ''],
  ['enableUpdating(t){}', ''],
  ['scheduleUpdate(){return this.performUpdate()}performUpdate()', 'scheduleUpdate()'],
  ['const t=this.scheduleUpdate();return null!=t&&await t,', 'return await this.scheduleUpdate(),'],
  [
    'const t=this.constructor.elementProperties;if(t.size>0)for(const[s,i]of t){const{wrapped:t}=i,e=this[s];!0!==t||this._$AL.has(s)||void 0===e||this.C(s,void 0,i,e)}}',
    '',
  ],
  [
    'let t=!1;const s=this._$AL;try{t=this.shouldUpdate(s),t?(this.willUpdate(s),this._$EO?.forEach(t=>t.hostUpdate?.()),this.update(s)):this._$EM()}catch(s){throw t=!1,this._$EM(),s}t&&this._$AE(s)}willUpdate(t){}',
    'const s=this._$AL;try{this.willUpdate(s),this.update(s)}catch(s){throw this._$EM(),s}',
  ],
  [
    'return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(t){return!0}',
    'return this._$ES}',
  ],
  ['updated(t){}firstUpdated(t){}', ''],
]

/** Style sheets, made only by `unsafeCSS`, each once, in browsers with shadow roots of their own. */
const sheets: readonly Cut[] = [
  [
    'e=t.ShadowRoot&&(void 0===t.ShadyCSS||t.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype',
    'e="adoptedStyleSheets"in Document.prototype',
  ],
  [
    'constructor(t,e,o){if(this._$cssResult$=!0,o!==s)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=t,this.t=e}',
    'constructor(t){this.cssText=t}',
  ],
  [
    'let t=this.o;const s=this.t;if(e&&void 0===t){const e=void 0!==s&&1===s.length;e&&(t=o.get(s)),void 0===t&&((this.o=t=new CSSStyleSheet).replaceSync(this.cssText),e&&o.set(s,t))}return t}toString(){return this.cssText}',
    'return this.o||(this.o=new CSSStyleSheet).replaceSync(this.cssText),this.o}',
  ],
  ['s=Symbol(),', ''],
  ['r=t=>new n("string"==typeof t?t:t+"",void 0,s)', 'r=t=>new n(t)'],
  ['o.map(t=>t instanceof CSSStyleSheet?t:t.styleSheet)', 'o.map(t=>t.styleSheet)'],
  ['void 0!==n&&o.', 'n&&o.'],
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
