// The code that puts the card of the playground into a page, for each way of building one. Other
// tools compile it (test/check-examples.ts): so it takes nothing but plain values.

/** What is set, each as pairs of name and value. */
export interface Chosen {
  readonly attributes: readonly (readonly [string, string])[]
  readonly tokens: readonly (readonly [string, string])[]
  readonly texts: readonly (readonly [string, string])[]
}

const COMPANION = 'https://pay.shop.example'

/** Also in a page of PHP, of Vue or of Svelte, where these signs begin an expression. */
const quoted = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('{', '&#123;')

/** One that is true has no value. Where types are checked, `number` says how one is written. */
function attributes(
  { attributes: all }: Chosen,
  number = (name: string, value: string) => `${name}="${value}"`,
): string {
  return all
    .map(([name, value]) => {
      if (value === 'true') return ` ${name}`
      return name.endsWith('amount') && /^\d+$/.test(value) ? ` ${number(name, value)}` : ` ${name}="${quoted(value)}"`
    })
    .join('')
}

/** What would end the block of styles is left out: anybody can write an address. */
const styles = ({ tokens }: Chosen): string => {
  const lines = tokens.map(([name, value]) => `  ${name}: ${value.replaceAll(/[<>{};]/g, '')};`)
  return lines.length > 0 ? `hc-checkout {\n${lines.join('\n')}\n}` : ''
}

/** As JavaScript that may stand in a page. */
const texts = ({ texts: own }: Chosen): string =>
  own.length > 0 ? JSON.stringify(Object.fromEntries(own), undefined, 2).replaceAll('<', String.raw`\u003c`) : ''

const block = (name: string, text: string): string => (text === '' ? '' : `\n\n<${name}>\n${text}\n</${name}>`)
const comment = (text: string): string => (text === '' ? '' : `\n\n/* in your style sheet\n${text}\n*/`)
const script = (chosen: Chosen): string =>
  texts(chosen) === '' ? '' : `document.querySelector('hc-checkout').texts = ${texts(chosen)}`
const constant = (chosen: Chosen): string => (texts(chosen) === '' ? '' : `\nconst texts = ${texts(chosen)}\n`)
const indented = (text: string): string => text.replaceAll('\n', '\n  ')
const braces = (name: string, value: string): string => `${name}={${value}}`

export const samples: Readonly<Record<string, (chosen: Chosen) => string>> = {
  'Script tag': (chosen) => `<script type="module" src="${COMPANION}/widget/v1/hc-checkout.js"></script>
<script nomodule src="${COMPANION}/widget/v1/hc-checkout-legacy.js"></script>

<hc-checkout companion="${COMPANION}"${attributes(chosen)}></hc-checkout>${block('style', styles(chosen))}${block('script', script(chosen))}`,
  React: (chosen) => `import 'hc-checkout/define'
import 'hc-checkout/types/react'
${constant(chosen)}
export function Checkout() {
  return <hc-checkout companion="${COMPANION}"${attributes(chosen, braces)}${constant(chosen) && ' texts={texts}'} />
}${comment(styles(chosen))}`,
  Vue: (chosen) => `<!-- vite.config: vue({ template: { compilerOptions: {
  isCustomElement: (tag) => tag === 'hc-checkout' } } }) -->
<script setup lang="ts">
import 'hc-checkout/define'
import 'hc-checkout/types/vue'

// Not in the template: vue-tsc does not check a tag with https:// in it.
const companion = '${COMPANION}'${constant(chosen).trimEnd()}
</script>

<template>
  <hc-checkout :companion="companion"${attributes(chosen, (name, value) => `:${name}="${value}"`)}${constant(chosen) && ' :texts="texts"'} />
</template>${block('style', styles(chosen))}`,
  Svelte: (chosen) => `<script lang="ts">
  import 'hc-checkout/define'
  import 'hc-checkout/types/svelte'
${indented(constant(chosen)).trimEnd()}
</script>

<hc-checkout companion="${COMPANION}"${attributes(chosen, braces)}${constant(chosen) && ' {texts}'}></hc-checkout>${block('style', styles(chosen).replace('hc-checkout', ':global(hc-checkout)'))}`,
  Angular: (chosen) => `import { CUSTOM_ELEMENTS_SCHEMA, Component } from '@angular/core'
import 'hc-checkout/define'

@Component({
  selector: 'app-checkout',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: \`<hc-checkout companion="${COMPANION}"${inTemplate(attributes(chosen))}${constant(chosen) && ' [texts]="texts"'}></hc-checkout>\`,
})
export class Checkout {${texts(chosen) === '' ? '' : `\n  readonly texts = ${indented(texts(chosen))}\n`}}${comment(styles(chosen))}`,
  PHP: (chosen) => `<?php $companion = htmlspecialchars(getenv('HC_COMPANION') ?: '${COMPANION}'); ?>
<script type="module" src="<?= $companion ?>/widget/v1/hc-checkout.js"></script>
<script nomodule src="<?= $companion ?>/widget/v1/hc-checkout-legacy.js"></script>

<hc-checkout companion="<?= $companion ?>"${attributes(chosen)}></hc-checkout>${block('style', styles(chosen))}${block('script', script(chosen))}`,
  Companion: ({ attributes: all, tokens }) => {
    const values = new Map(all)
    const [currency, least, most] = ['currency', 'min-amount', 'max-amount'].map((name) => values.get(name))
    const language = values.get('locale')
    return [
      '# companion.env, beside keys and addresses',
      'HC_MODE=open',
      `HC_PUBLIC_URL=${COMPANION}`,
      'HC_ALLOWED_ORIGINS=https://shop.example',
      ...(currency && least && most ? [`HC_LIMITS=${currency}:${least}-${most}`] : []),
      ...(language ? [`HC_LOCALES=${[...new Set(['en', 'fr', 'sw', language])].join(',')}`] : []),
      ...tokens.flatMap(([name, value]) => (name === '--hc-accent' ? [`HC_SHOP_ACCENT="${value}"`] : [])),
    ].join('\n')
  },
}

/** Within a template literal of TypeScript. */
function inTemplate(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('$', '\\$')
}
