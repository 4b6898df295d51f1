// The texts for unusual results, which are loaded when they are needed: on a slow network each
// round trip counts.
import { expect, test } from 'vitest'
import { eachTestAtTheShop, system, shop, toThePaymentPage } from './at-the-shop.ts'
import { widgetOf } from './customer.ts'

eachTestAtTheShop()

test('what a failed payment means is said after one request, and after one that was lost', async () => {
  const asked: string[] = []
  system.between = async (request, next) => {
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/widget/')) return next()
    asked.push(pathname.replace(/^.*\/hc-(.*)-[0-9a-f]{8}\.js$/, '$1'))
    if (asked.filter((one) => one === 'en-more').length === 1 && asked.at(-1) === 'en-more') throw new Error('lost')
    return next()
  }
  await shop.goto(system.shop())
  await toThePaymentPage()
  asked.length = 0
  await system.act('cancel')
  await system.until('failed')
  await widgetOf(shop).says(
    'The payment was cancelled, or the phone could not be reached. If money left your account, contact the shop with the reference. If not, try again.',
  )
  expect(asked.toSorted()).toEqual(['en-more', 'en-more', 'rare-parts'])
})

test('what a failed payment means is said also where the parts beside the texts do not come', async () => {
  system.between = async (request, next) => {
    if (new URL(request.url).pathname.includes('/hc-rare-parts-')) throw new Error('lost')
    return next()
  }
  await shop.goto(system.shop())
  await toThePaymentPage()
  await system.act('cancel')
  await system.until('failed')
  await widgetOf(shop).says(/The payment was cancelled, or the phone could not be reached/)
  await widgetOf(shop).element.getByRole('button', { name: 'Try again' }).waitFor()
})

test('where the network brings no such text, who may have sent money is not told to pay again', async () => {
  system.between = async (request, next) => {
    if (new URL(request.url).pathname.includes('/hc-en-more-')) throw new Error('lost')
    return next()
  }
  await shop.goto(system.shop())
  await toThePaymentPage()
  await system.act('cancel')
  await system.until('failed')
  await widgetOf(shop).says('If you have not sent money, try again.')
})
