// The client's address: X-Forwarded-For is only believed from a trusted proxy.
import { expect, it } from 'vitest'
import { addressSet, bucketOf, clientAddress } from '../../server/http/address.ts'

const isTrusted = addressSet(['10.0.0.0/8', '127.0.0.1', 'fd00::/8'])

it.each([
  ['a customer without a proxy', '203.0.113.9', undefined, '203.0.113.9'],
  ['a customer who names somebody else', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['behind our proxy', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['behind two of ours', '10.0.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['who put somebody else in front', '10.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['behind a proxy that writes ports', '10.0.0.1', '203.0.113.9:49152', '203.0.113.9'],
  ['of IPv6 behind a proxy that writes ports', '10.0.0.1', '[2001:db8::7]:49152', '2001:db8::7'],
  ['of IPv6 in brackets', 'fd00::1', '[2001:db8::7]', '2001:db8::7'],
  ['of IPv6', '10.0.0.1', '2001:db8::7', '2001:db8::7'],
  ['of IPv4 written as IPv6', '::ffff:10.0.0.1', '::ffff:198.151.100.121', '198.151.100.121'],
  ['that is one of our proxies', '10.0.0.1', '10.0.0.2', '10.0.0.2'],
  ['whose proxy says nothing', '10.0.0.1', undefined, '10.0.0.1'],
  ['whose proxy says nonsense', '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
  ['whose proxy says a number', '10.0.0.1', '203:1', '10.0.0.1'],
  ['without a network', undefined, undefined, 'local'],
])('a customer %s', (_name, peer, forwarded, expected) => {
  expect(clientAddress(peer, forwarded, isTrusted)).toBe(expected)
})

it.each([
  ['203.0.113.9', '203.0.113.9'],
  // A household has all of its /64.
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:DB8::3:4:5:6:7', '2001:db8:0:3'],
  ['2001:db8:1:2:3:4:5::', '2001:db8:1:2'],
  ['127.0.0.1', undefined],
  ['::1', undefined],
  ['local', undefined],
])('%s is counted as %s', (address, expected) => {
  expect(bucketOf(address)).toBe(expected)
})
