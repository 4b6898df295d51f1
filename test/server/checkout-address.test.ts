// The address of the hosted page with the field for a language: the rest of it stays as the service
// wrote it.
import { expect, it } from 'vitest'
import { createAnswers } from '../../server/deposits/create/answers.ts'
import { depositRecord } from '../helpers/deposit-record.ts'

const answers = createAnswers({
  settings: { publicUrl: 'https://pay.shop.example', checkoutLanguageParam: 'lang' },
  capabilities: { link: () => 'link', depositToken: () => 'token' },
})
const at = 'https://pay.service.example'

it.each([
  ['/c/1', '/c/1?lang=sw'],
  ['/c/1?', '/c/1?lang=sw'],
  ['/c/a%20b?to=a%20b&sig=x~y(z)*%2f&flag', '/c/a%20b?to=a%20b&sig=x~y(z)*%2f&flag&lang=sw'],
  ['/c/1?to=a%20b#part?x=1&lang=en', '/c/1?to=a%20b&lang=sw#part?x=1&lang=en'],
  ['/c/1#part', '/c/1?lang=sw#part'],
  ['/c/1?language=en&xlang=en', '/c/1?language=en&xlang=en&lang=sw'],
  ['/c/1?a=%20&lang=en&b=%20#part', '/c/1?a=%20&lang=sw&b=%20#part'],
])('%s becomes %s', (given, shown) => {
  const deposit = depositRecord({ checkoutUrl: `${at}${given}`, locale: 'sw-KE' })
  expect(answers.view(deposit).checkoutUrl).toBe(`${at}${shown}`)
})
