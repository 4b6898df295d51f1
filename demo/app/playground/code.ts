// The code that puts the card of the playground into a page, for each way of building one.
import { allOf } from './settings.ts'

const COMPANION = 'https://pay.shop.example'

const quoted = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

function attributes(): string {
  return allOf('a')
    .map(([name, value]) => (value === 'true' ? ` ${name}` : ` ${name}="${quoted(value)}"`))
    .join('')
}

function styles(): string {
  const lines = allOf('t').map(([name, value]) => `  ${name}: ${value};`)
  return lines.length > 0 ? `hc-checkout {\n${lines.join('\n')}\n}` : ''
}

const texts = (): string => {
  const own = allOf('x')
  return own.length > 0 ? JSON.stringify(Object.fromEntries(own), undefined, 2) : ''
}

const block = (tag: string, text: string): string => (text === '' ? '' : `\n\n<${tag}>\n${text}\n</${tag}>`)
const setTexts = (): string => (texts() === '' ? '' : `document.querySelector('hc-checkout').texts = ${texts()}`)
const tag = (companion = COMPANION): string => `<hc-checkout companion="${companion}"${attributes()}></hc-checkout>`
const comment = (text: string): string => (text === '' ? '' : `\n\n/* in your style sheet */\n${text}`)

export const samples: Readonly<Record<string, () => string>> = {
  'Script tag': () => `<script type="module" src="${COMPANION}/widget/v1/hc-checkout.js"></script>
<script nomodule src="${COMPANION}/widget/v1/hc-checkout-legacy.js"></script>

${tag()}${block('style', styles())}${block('script', setTexts())}`,
  React: () => `import 'hc-checkout/define'

export function Checkout() {
  return ${tag()}
}${texts() === '' ? '' : `\n\n// once it is on the page\n${setTexts()}`}${comment(styles())}`,
  Vue: () => `<script setup>
import 'hc-checkout/define'
</script>

<template>
  ${tag()}
</template>${block('style', styles())}`,
  Svelte: () => `<script>
  import 'hc-checkout/define'
</script>

${tag()}${block('style', styles() === '' ? '' : `:global(hc-checkout)${styles().slice('hc-checkout'.length)}`)}`,
  Angular: () => `import { CUSTOM_ELEMENTS_SCHEMA, Component } from '@angular/core'
import 'hc-checkout/define'

@Component({
  selector: 'app-checkout',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: \`${tag()}\`,
})
export class Checkout {}${comment(styles())}`,
  PHP: () => `<?php $companion = getenv('HC_COMPANION'); ?>
<script type="module" src="<?= htmlspecialchars($companion) ?>/widget/v1/hc-checkout.js"></script>
${tag('<?= htmlspecialchars($companion) ?>')}${block('style', styles())}`,
  Companion: () => {
    const values = new Map(allOf('a'))
    const [currency, least, most] = ['currency', 'min-amount', 'max-amount'].map((name) => values.get(name))
    const language = values.get('locale')
    return [
      '# companion.env, beside keys and addresses',
      'HC_MODE=open',
      `HC_PUBLIC_URL=${COMPANION}`,
      'HC_ALLOWED_ORIGINS=https://shop.example',
      ...(currency && least && most ? [`HC_LIMITS=${currency}:${least}-${most}`] : []),
      ...(language ? [`HC_LOCALES=${[...new Set(['en', 'fr', 'sw', language])].join(',')}`] : []),
      ...allOf('t').flatMap(([name, value]) => (name === '--hc-accent' ? [`HC_SHOP_ACCENT="${value}"`] : [])),
    ].join('\n')
  },
}
