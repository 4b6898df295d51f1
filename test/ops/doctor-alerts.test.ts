// The test alert of `doctor --alert`, over a real chat webhook and a real mail server: each fault
// has a line that says what to do, without a secret.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it, vi } from 'vitest'
import { checkAlerts } from '../../server/cli/doctor-alerts.ts'
import type { CommandIo } from '../../server/cli/io.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { makeCertificate, opensslMissing } from '../helpers/certificate.ts'
import { testSettings } from '../helpers/create-test-system.ts'
import { freePort } from '../helpers/free-port.ts'
import { type SmtpServer, smtpServer } from '../helpers/smtp-server.ts'

let smtp: SmtpServer | undefined
let chat: Server | undefined
afterEach(async () => {
  vi.useRealTimers()
  await smtp?.close()
  chat?.close()
  smtp = chat = undefined
})

/** What doctor says; fails if any of it contains a part of an address that is secret. */
async function check(alerts: Omit<Settings['alerts'], 'silentMinutes'>) {
  const settings = testSettings({ publicUrl: 'https://pay.shop.example', alerts: { ...alerts, silentMinutes: 0 } })
  const checks = await checkAlerts(settings, { fetch } as CommandIo)
  expect(JSON.stringify(checks)).not.toMatch(/canary/)
  return checks
}

async function chatThat(status: number): Promise<{ webhookUrl: string; told: string[] }> {
  const told: string[] = []
  chat = createServer((request, response) => {
    void text(request).then((body) => {
      told.push((JSON.parse(body) as { text: string }).text)
      response.writeHead(status, status === 302 ? { location: '/canary-elsewhere' } : {}).end()
    })
  })
  await new Promise<void>((resolve) => chat!.listen(0, '127.0.0.1', resolve))
  return { webhookUrl: `http://127.0.0.1:${(chat.address() as AddressInfo).port}/canary-hook`, told }
}

const mailTo = (port: number, scheme = 'smtp', host = '127.0.0.1') => ({
  email: {
    smtpUrl: `${scheme}://ops:canary%40word@${host}:${port}`,
    from: 'pay@shop.example',
    to: 'ops@shop.example',
  },
})

it('goes over every channel, and names the installation', async () => {
  const { webhookUrl, told } = await chatThat(200)
  smtp = await smtpServer()
  expect(await check({ webhookUrl, ...mailTo(smtp.port) })).toEqual([
    { name: 'alert webhook', state: 'ok', says: expect.stringContaining('in the chat') },
    { name: 'alert mail', state: 'ok', says: expect.stringContaining('ops@shop.example') },
  ])
  expect(told).toEqual([expect.stringMatching(/^\[TEST pay\.shop\.example\] A test alert\n.*doctor --alert/)])
  expect(smtp.mails).toEqual([expect.stringContaining('Subject: [TEST pay.shop.example] A test alert')])
})

it('without a channel warns that alerts reach nobody', async () => {
  expect(await check({})).toEqual([{ name: 'alert', state: 'warn', says: expect.stringContaining('HC_ALERT_URL') }])
})

it.each([404, 302])('names a chat that answers %i', async (status) => {
  const { webhookUrl } = await chatThat(status)
  const says = expect.stringMatching(new RegExp(`answered ${status}: HC_ALERT_URL must be`))
  expect(await check({ webhookUrl })).toEqual([{ name: 'alert webhook', state: 'fail', says }])
})

it.each([429, 500])('says of a chat that answers %i that the fault may be its own', async (status) => {
  const { webhookUrl } = await chatThat(status)
  const says = expect.stringMatching(new RegExp(`answered ${status}: it is busy or failing`))
  expect(await check({ webhookUrl })).toEqual([{ name: 'alert webhook', state: 'fail', says }])
})

it('names a chat and a mail server that are not there, and one of the two does not hide the other', async () => {
  const webhookUrl = `http://127.0.0.1:${await freePort()}/canary-hook`
  expect(await check({ webhookUrl, ...mailTo(await freePort()) })).toEqual([
    { name: 'alert webhook', state: 'fail', says: expect.stringMatching(/HC_ALERT_URL \(ECONNREFUSED\)/) },
    { name: 'alert mail', state: 'fail', says: expect.stringMatching(/ECONNREFUSED.*check host and port/) },
  ])
})

it('names a chat that takes the message and gives no answer', async () => {
  const alerts = { webhookUrl: 'https://chat.example/canary-hook', silentMinutes: 0 }
  const fetch = () => Promise.reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  const says = expect.stringMatching(/^HC_ALERT_URL gave no answer within 30 s: check/)
  expect(await checkAlerts(testSettings({ alerts }), { fetch } as unknown as CommandIo)).toEqual([
    { name: 'alert webhook', state: 'fail', says },
  ])
})

it('repeats what a mail server says of a wrong password, but not the password', async () => {
  smtp = await smtpServer()
  const sent = [`\0ops\0canary@word`, 'canary@word'].map((text) => Buffer.from(text).toString('base64')).join(' ')
  smtp.refuseWith(`535 5.7.8 canary@word is not accepted: ${sent}`, 'AUTH')
  const says = expect.stringMatching(
    /refuses the login \(.*535 5\.7\.8 \[hidden\] is not accepted: \[hidden\] \[hidden\]\).*check user and password/,
  )
  expect(await check(mailTo(smtp.port))).toEqual([{ name: 'alert mail', state: 'fail', says }])
})

it('names a receiver of mail that is refused', async () => {
  smtp = await smtpServer()
  smtp.refuseWith('550 no such user')
  const says = expect.stringMatching(/550 no such user.*HC_ALERT_TO/)
  expect(await check(mailTo(smtp.port))).toEqual([{ name: 'alert mail', state: 'fail', says }])
})

it('tells a mail server that breaks off in a mail from one without a safe connection', async () => {
  smtp = await smtpServer()
  smtp.breakOff()
  const says = expect.stringMatching(
    /^the mail server of HC_ALERT_SMTP_URL broke off the connection \(.+\): look into its log/,
  )
  expect(await check(mailTo(smtp.port))).toEqual([{ name: 'alert mail', state: 'fail', says }])
})

/** A mail server that keeps its greeting for so many seconds. */
async function greetedAfter(seconds: number): Promise<SmtpServer> {
  const server = await smtpServer({
    onConnection(greet) {
      // Until the client waits for the greeting.
      setImmediate(() => {
        vi.advanceTimersByTime(seconds * 1000)
        greet()
      })
    },
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  return server
}

it('says of a mail server that takes the connection and keeps silent that it does not answer', async () => {
  smtp = await greetedAfter(31)
  const says = expect.stringMatching(/^the mail server of HC_ALERT_SMTP_URL does not answer \(.+\): .*465.*587/)
  expect(await check(mailTo(smtp.port))).toEqual([{ name: 'alert mail', state: 'fail', says }])
})

it('waits half a minute for the greeting of a mail server that lets strangers wait', async () => {
  smtp = await greetedAfter(28)
  expect(await check(mailTo(smtp.port))).toMatchObject([{ name: 'alert mail', state: 'ok' }])
})

it('names https at a port that speaks http, and blames no certificate', async () => {
  const { webhookUrl } = await chatThat(200)
  const says = expect.stringMatching(/^what answers at HC_ALERT_URL speaks no TLS \(EPROTO\): name its port for https/)
  expect(await check({ webhookUrl: webhookUrl.replace('http:', 'https:') })).toEqual([
    { name: 'alert webhook', state: 'fail', says },
  ])
})

it('names smtps at a port that speaks smtp', async () => {
  smtp = await smtpServer()
  const says = expect.stringMatching(/no safe connection.*smtps:\/\/ \(mostly port 465\)/)
  expect(await check(mailTo(smtp.port, 'smtps'))).toEqual([{ name: 'alert mail', state: 'fail', says }])
})

/** This machine, written as an address that does not count as loopback. */
const ELSEWHERE = '::ffff:127.0.0.1'

it('names a mail server without STARTTLS, and the ports that have it', async () => {
  smtp = await smtpServer()
  const says = expect.stringMatching(/takes no STARTTLS \(500 .+\).*587.*smtps:\/\//)
  expect(await check(mailTo(smtp.port, 'smtp', `[${ELSEWHERE}]`))).toEqual([
    { name: 'alert mail', state: 'fail', says },
  ])
})

it.skipIf(opensslMissing() !== undefined)('names a certificate of a mail server that is not trusted here', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-doctor-'))
  const files = { key: join(folder, 'key.pem'), certificate: join(folder, 'certificate.pem') }
  makeCertificate(ELSEWHERE, files)
  const tls = { key: readFileSync(files.key, 'utf8'), cert: readFileSync(files.certificate, 'utf8') }
  rmSync(folder, { recursive: true })
  smtp = await smtpServer({ host: ELSEWHERE, tls })
  const says = expect.stringMatching(
    /\(DEPTH_ZERO_SELF_SIGNED_CERT\): its certificate must be valid.*NODE_EXTRA_CA_CERTS/,
  )
  expect(await check(mailTo(smtp.port, 'smtp', `[${ELSEWHERE}]`))).toEqual([
    { name: 'alert mail', state: 'fail', says },
  ])
})
