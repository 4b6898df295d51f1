// Which URLs the element opens for a customer, and which it never opens.
import { describe, expect, it } from 'vitest'
import { isInApp } from '../../widget/base/in-app.ts'
import { isSafeUrl } from '../../widget/base/open-page.ts'

describe('an address of the hosted page', () => {
  it.each(['https://pay.example/checkout/1', 'https://pay.example:8443', 'https://pay.example?s=1'])(
    'opens when it is https: %s',
    (url) => {
      expect(isSafeUrl(url, 'live')).toBe(true)
    },
  )

  it.each([
    'http://127.0.0.1:8788/checkout/1',
    'http://localhost:8788/x',
    'http://[::1]:1/x',
    'http://192.168.1.20:8788/x',
    'http://10.0.0.7/x',
    'http://172.16.4.1/x',
  ])('opens on this machine and this network in test mode only: %s', (url) => {
    expect(isSafeUrl(url, 'test')).toBe(true)
    expect(isSafeUrl(url, 'live')).toBe(false)
  })

  it.each([
    undefined, '', 'javascript:alert(1)', 'data:text/html,x', '//pay.example', 'http://pay.example/x', 'http://10.evil.example/x',
    'http://127.0.0.1.evil.example/x', 'http://localhost.evil.example/', 'http://localhost@evil.example/', 'https://user@evil.example/',
    'https://pay.example\\@evil.example/', 'https://', ' https://pay.example', 'http://192.168.evil.example/', 'http://172.32.0.1/x',
  ])('is never opened: %s', (url) => {
    expect(isSafeUrl(url, 'test')).toBe(false)
  }) // prettier-ignore
})

describe('the browser inside an app', () => {
  it('is told by its name, an ordinary phone is not one', () => {
    expect(isInApp('Mozilla/5.0 (Linux; Android 10; K; wv) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36')).toBe(
      true,
    )
    expect(isInApp('Mozilla/5.0 (iPhone) AppleWebKit/605 Mobile [FBAN/FBIOS;FBAV/400]')).toBe(true)
    expect(isInApp('Mozilla/5.0 (iPhone) AppleWebKit/605 Mobile musical_ly_32.5.0 BytedanceWebview/d8a21c6')).toBe(true)
    expect(isInApp('Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36')).toBe(false)
  })
})
