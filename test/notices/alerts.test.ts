// Alerts to a person by chat and by mail: once per kind in 15 minutes, none lost, no secrets.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { adviceFor } from '../../server/operations/alerts/advice.ts'
import { ALERT_QUIET_MS, type AlertOptions, createAlerts } from '../../server/operations/alerts/alerts.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import { makeCertificate, opensslMissing } from '../helpers/certificate.ts'
import { SERVER_WAITS_MS, type SmtpServer, smtpServer } from '../helpers/smtp-server.ts'

const MINUTE = 60_000
let smtp: SmtpServer | undefined
afterEach(async () => {
  vi.restoreAllMocks()
  await smtp?.close()
  smtp = undefined
})

function world(options: Partial<AlertOptions> = {}) {
  let clock = 1_000_000
  /** What timers run by: no step of the clock moves it. */
  let ran = 0
  const posts: { url: string; body: Record<string, string> }[] = []
  const timers: { at: number; work: () => void }[] = []
  let status = 200
  const alerts = createAlerts({
    settings: { webhookUrl: 'https://chat.example/hook', silentMinutes: 0 },
    now: () => clock,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      posts.push({ url: request.url, body: (await request.json()) as Record<string, string> })
      return new Response(null, { status })
    },
    logger: silentLogger,
    installation: 'TEST pay.shop.example',
    later: (ms, work) => void timers.push({ at: ran + ms, work }),
    ...options,
  })
  const runTimers = (ms: number): void => {
    clock += ms
    ran += Math.max(ms, 0)
    for (const timer of timers.splice(0)) {
      if (timer.at <= ran) timer.work()
      else timers.push(timer)
    }
  }
  return {
    alerts,
    posts,
    answer: (next: number) => void (status = next),
    /** Moves the clock and lets what waited for it run. */
    async pass(ms: number) {
      runTimers(ms)
      await alerts.flush()
    },
    /**
     * Minutes in which nothing but its timers moves it, as in a companion that is not being
     * stopped.
     */
    async wait(minutes: number) {
      for (let minute = 0; minute < minutes; minute++) {
        runTimers(MINUTE)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    /** Sets the clock, and no timer runs sooner or later for it. */
    step: (ms: number) => void (clock += ms),
  }
}

describe('to a chat', () => {
  it('says which installation speaks, what happened and what to do, as JSON with text', async () => {
    const w = world()
    w.alerts.raise('upstream_down', 'The payment service does not answer.')
    await w.alerts.flush()
    expect(w.posts).toHaveLength(1)
    expect(Object.keys(w.posts[0]!.body)).toEqual(['text'])
    expect(w.posts[0]!.body['text']!.split('\n')).toEqual([
      '[TEST pay.shop.example] The payment service does not answer',
      adviceFor('upstream_down').todo,
    ])
  })

  it('says of a foreign payment page which setting allows it, and of another amount what a decision credits', async () => {
    expect(adviceFor('review:redirect_origin').todo).toContain('HC_CHECKOUT_ORIGINS')
    expect(adviceFor('review:query_amount').todo).toContain('full amount')
    expect(adviceFor('review:query_not_found').todo).toContain(adviceFor('review').todo)
  })

  it('says what to ask for when creates are held back by the limit, the service’s or our own', () => {
    for (const reason of ['rate_limited', 'upstream_budget', 'HC_RATE'])
      expect(adviceFor('create_unanswered').todo).toContain(reason)
  })

  it('is told once a kind in 15 minutes; what came meanwhile is told after them, with its number', async () => {
    const w = world()
    w.alerts.raise('review:query_reference', 'HCT1')
    await w.alerts.flush()
    w.alerts.raise('review:query_reference', 'HCT2')
    w.alerts.raise('review:query_reference', 'HCT3')
    w.alerts.raise('market_off', 'KES')
    await w.alerts.flush()
    expect(w.posts.map(({ body }) => body['text']!.split('\n')[1])).toEqual(['HCT1', 'KES'])
    await w.pass(ALERT_QUIET_MS - 1)
    expect(w.posts).toHaveLength(2)
    await w.pass(1)
    expect(w.posts).toHaveLength(3)
    expect(w.posts[2]!.body['text']).toContain('HCT3\n2 times since the last message')
    await w.pass(ALERT_QUIET_MS * 3)
    expect(w.posts).toHaveLength(3)
  })

  it('is sent JSON, and follows no redirect with it', async () => {
    const sent: Request[] = []
    const w = world({
      fetch: async (input, init) => {
        sent.push(new Request(input, init))
        return new Response(null, { status: 204 })
      },
    })
    w.alerts.raise('market_off', 'KES')
    await w.alerts.flush()
    expect(sent.map(({ method, headers, redirect }) => [method, headers.get('content-type'), redirect])).toEqual([
      ['POST', 'application/json', 'manual'],
    ])
  })

  it('that never answers is given up after ten seconds, and holds up no other alert for longer', async () => {
    const waits: [ms: number, over: AbortController][] = []
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const over = new AbortController()
      waits.push([ms, over])
      return over.signal
    })
    const asked: string[] = []
    const w = world({
      fetch: async (input, init) => {
        asked.push(await new Request(input, init).text())
        const { signal } = init ?? {}
        return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('silent'))))
      },
    })
    w.alerts.raise('market_off', 'KES')
    w.alerts.raise('notice_dead', 'msg_1')
    await expect.poll(() => waits).toHaveLength(1)
    waits[0]![1].abort()
    await expect.poll(() => waits).toHaveLength(2)
    waits[1]![1].abort()
    await w.alerts.flush()
    expect(waits.map(([ms]) => ms)).toEqual([30_000, 30_000])
    expect([asked.length, asked[1]]).toEqual([2, expect.stringContaining('msg_1')])
  })

  it('that is down hears it a minute later, and nothing is told twice', async () => {
    const w = world()
    w.answer(500)
    w.alerts.raise('notice_dead', 'msg_1')
    await w.alerts.flush()
    w.answer(200)
    await w.pass(MINUTE - 1)
    expect(w.posts).toHaveLength(1)
    await w.pass(1)
    expect(w.posts).toHaveLength(2)
    await w.pass(ALERT_QUIET_MS * 2)
    expect(w.posts).toHaveLength(2)
  })

  it('that is down is tried again by the timer alone, and the log says which channel and why', async () => {
    const faults: [object, string | undefined][] = []
    const w = world({ logger: { ...silentLogger, error: (fields, message) => void faults.push([fields, message]) } })
    w.answer(503)
    w.alerts.raise('upstream_down', 'now')
    await w.wait(0.5)
    expect(faults).toEqual([
      [
        { kind: 'upstream_down', channel: 'webhook', err: new Error('the alert webhook answered 503') },
        expect.stringContaining('could not be sent'),
      ],
    ])
    w.answer(200)
    await w.wait(2)
    expect(w.posts).toHaveLength(2)
    await w.wait(30)
    expect(w.posts).toHaveLength(2)
    expect(faults).toHaveLength(1)
  })

  it.each([
    [1, '\nThat was at 1970-01-01T00:21:40.000Z.'],
    [3, '\n3 times since the last message; this is the latest, of 1970-01-01T00:21:40.000Z.'],
  ])('of what was held back hears when it was, for it may have passed since: %d', async (count, says) => {
    const w = world()
    w.alerts.raise('store_failing', 'Writing has failed since noon.')
    await w.alerts.flush()
    await w.pass(5 * MINUTE)
    for (let n = 0; n < count; n++) w.alerts.raise('store_failing', 'Writing has failed since noon.')
    await w.pass(10 * MINUTE)
    const [atOnce, later] = w.posts.map(({ body }) => body['text']!)
    expect(atOnce).not.toContain('1970')
    expect(later).toContain(`Writing has failed since noon.${says}\n`)
  })

  it('hears what came in a quiet time by one timer of the process, however often it came', async () => {
    vi.useFakeTimers()
    try {
      const told: string[] = []
      const alerts = createAlerts({
        settings: { webhookUrl: 'https://chat.example/hook', silentMinutes: 0 },
        now: Date.now,
        fetch: async (_input, init) => {
          told.push(init?.body as string)
          return new Response()
        },
        logger: silentLogger,
      })
      alerts.raise('market_off', 'KES')
      await alerts.flush()
      const before = vi.getTimerCount()
      for (let n = 1; n <= 50; n++) alerts.raise('market_off', `UGX ${n}`)
      expect(vi.getTimerCount()).toBe(before + 1)
      await vi.advanceTimersByTimeAsync(ALERT_QUIET_MS - 1)
      expect(told).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(told).toEqual([expect.stringContaining('KES'), expect.stringContaining('50 times since the last message')])
    } finally {
      vi.useRealTimers()
    }
  })

  it('hears the next alert after a clock was set back a day, and its quarter of an hour begins anew', async () => {
    const w = world()
    w.alerts.raise('notice_dead', 'msg_1')
    await w.alerts.flush()
    await w.pass(-24 * 60 * MINUTE)
    w.alerts.raise('notice_dead', 'msg_2')
    await w.alerts.flush()
    w.alerts.raise('notice_dead', 'msg_3')
    await w.alerts.flush()
    expect(w.posts.map(({ body }) => body['text']!.split('\n')[1])).toEqual(['msg_1', 'msg_2'])
    await w.pass(ALERT_QUIET_MS)
    expect(w.posts).toHaveLength(3)
  })

  it.each([
    ['not at all', 0],
    ['by 1 ms, as a timer that is early', -1],
    ['by 5 s', -5_000],
    ['an hour ahead', 60 * MINUTE],
  ])('hears what was held back, though the clock is set meanwhile: %s', async (_how, step) => {
    const w = world()
    w.alerts.raise('notice_dead', 'msg_1')
    await w.alerts.flush()
    w.alerts.raise('notice_dead', 'msg_2')
    w.step(step)
    await w.wait(16)
    expect(w.posts.map(({ body }) => body['text']!.split('\n')[1])).toEqual(['msg_1', 'msg_2'])
    await w.wait(60)
    expect(w.posts).toHaveLength(2)
  })

  it.each([
    ['not at all', 0],
    ['by 1 ms, as a timer that is early', -1],
    ['by 5 s', -5_000],
    ['an hour ahead', 60 * MINUTE],
  ])('that was down hears it by its timer alone, though the clock is set meanwhile: %s', async (_how, step) => {
    const w = world()
    w.answer(500)
    w.alerts.raise('notice_dead', 'msg_1')
    await w.alerts.flush()
    w.step(step)
    w.answer(200)
    await w.wait(2)
    expect(w.posts).toHaveLength(2)
    await w.wait(60)
    expect(w.posts).toHaveLength(2)
  })

  it('hears what was raised just after a quiet time into which the clock was set back before it could be sent', async () => {
    const w = world()
    w.alerts.raise('notice_dead', 'msg_1')
    await w.alerts.flush()
    await w.pass(ALERT_QUIET_MS)
    w.alerts.raise('notice_dead', 'msg_2')
    w.step(-1)
    await w.alerts.flush()
    expect(w.posts).toHaveLength(1)
    await w.wait(1)
    expect(w.posts).toHaveLength(2)
  })

  it('of Telegram gets its chat in the body', async () => {
    const w = world({
      settings: { webhookUrl: 'https://api.telegram.example/bot1/sendMessage?chat_id=-42', silentMinutes: 0 },
    })
    w.alerts.raise('silent', 'for 60 minutes')
    await w.alerts.flush()
    expect(w.posts[0]).toMatchObject({ url: 'https://api.telegram.example/bot1/sendMessage', body: { chat_id: '-42' } })
  })

  it('gets nothing that it would act upon: what a customer typed may be quoted', async () => {
    const w = world()
    w.alerts.raise('create_refused', 'The name "<!channel> <https://evil.example|Renew your key> @all" is not valid.')
    await w.alerts.flush()
    expect(w.posts[0]!.body['text']!.split('\n')[1]).toBe(
      'The name "‹!channel› ‹https://evil.example|Renew your key› ＠all" is not valid.',
    )
  })

  it('gets whole letters, also where a long text is cut', async () => {
    const w = world()
    w.alerts.raise('create_refused', `Not valid: ${'😀'.repeat(200)}`)
    await w.alerts.flush()
    expect(w.posts[0]!.body['text']).toMatch(/😀\ufffd\n/u)
  })

  it('gets no secret, whoever wrote the detail, and no endless text', async () => {
    const w = world({ secrets: ['cs_canary_1f2e3d'] })
    w.alerts.raise(
      'create_refused',
      `cs_canary_1f2e3d Bearer abcdefgh https://p.example/v1/webhook/KEYKEY ${'x'.repeat(5000)}`,
    )
    await w.alerts.flush()
    expect(w.posts[0]!.body['text']).not.toMatch(/canary|abcdefgh|KEYKEY/)
    expect(w.posts[0]!.body['text']!.length).toBeLessThan(700)
  })
})

describe('by mail', () => {
  const settings = (port: number) => ({
    silentMinutes: 0,
    email: { smtpUrl: `smtp://ops:s%40cret@127.0.0.1:${port}`, from: 'pay@shop.example', to: 'ops@shop.example' },
  })

  it('arrives at a real mail server, logged in with the password as it was meant', async () => {
    smtp = await smtpServer()
    const w = world({ settings: settings(smtp.port) })
    w.alerts.raise('address_not_allowed', 'The service does not accept calls from this machine.')
    await w.alerts.flush()
    expect(smtp.mails).toHaveLength(1)
    expect(smtp.mails[0]).toContain('From: pay@shop.example')
    expect(smtp.mails[0]).toContain('To: ops@shop.example')
    expect(smtp.mails[0]).toMatch(/Subject: \[TEST pay\.shop\.example\] The payment service does not accept/)
    expect(smtp.logins).toEqual([['ops', 's@cret']])
  })

  it('takes a password that is no percent-encoding as it stands', async () => {
    smtp = await smtpServer()
    const email = { ...settings(smtp.port).email, smtpUrl: `smtp://ops:100%zz@127.0.0.1:${smtp.port}` }
    const w = world({ settings: { silentMinutes: 0, email } })
    w.alerts.raise('market_off', 'KES')
    await w.alerts.flush()
    expect(smtp.logins).toEqual([['ops', '100%zz']])
  })

  it('that is refused comes again, while the chat that took it is not told twice', async () => {
    smtp = await smtpServer()
    smtp.refuseWith('451 later')
    const w = world({ settings: { ...settings(smtp.port), webhookUrl: 'https://chat.example/hook' } })
    w.alerts.raise('market_off', 'KES')
    await w.alerts.flush()
    expect([w.posts.length, smtp.mails.length]).toEqual([1, 0])
    smtp.refuseWith(undefined)
    await w.pass(MINUTE)
    expect([w.posts.length, smtp.mails.length]).toEqual([1, 1])
  })

  it('that is refused without end keeps no later alert from the chat, and hears of all of them when it is back', async () => {
    smtp = await smtpServer()
    smtp.refuseWith('451 later')
    const w = world({ settings: { ...settings(smtp.port), webhookUrl: 'https://chat.example/hook' } })
    for (const detail of ['KES', 'UGX', 'TZS']) {
      w.alerts.raise('market_off', detail)
      await w.pass(ALERT_QUIET_MS)
    }
    expect(w.posts.map(({ body }) => body['text']!.split('\n')[1])).toEqual(['KES', 'UGX', 'TZS'])
    smtp.refuseWith(undefined)
    await w.pass(MINUTE)
    expect(smtp.mails).toHaveLength(1)
    expect(smtp.mails[0]).toMatch(/TZS\s+3 times since the last message/)
    expect(w.posts).toHaveLength(3)
  })

  it.each(['chat', 'mail server'])(
    'a %s that hangs delays nothing for the other, and misses nothing',
    async (which) => {
      const titles = { chat: [] as string[], 'mail server': [] as string[] }
      const held: (() => void)[] = []
      const take = async (by: string, title: string) => {
        if (by === which) await new Promise<void>((resolve) => held.push(resolve))
        titles[by as keyof typeof titles].push(title)
      }
      const w = world({
        settings: { ...settings(0), webhookUrl: 'https://chat.example/hook' },
        fetch: async (input, init) => {
          const { text } = (await new Request(input, init).json()) as { text: string }
          await take('chat', text.split('\n', 1)[0]!)
          return new Response()
        },
        sendMail: ({ subject }) => take('mail server', subject),
      })
      w.alerts.raise('market_off', 'KES')
      w.alerts.raise('store_failing', 'since noon')
      const all = [/market is switched off/, /database does not take writes/].map(
        (title) => expect.stringMatching(title) as string,
      )
      const other = which === 'chat' ? 'mail server' : 'chat'
      await expect.poll(() => titles[other]).toEqual(all)
      expect(titles[which as keyof typeof titles]).toEqual([])
      for (const n of [1, 2]) {
        await expect.poll(() => held.length).toBe(n)
        held[n - 1]!()
      }
      await w.alerts.flush()
      expect(titles).toEqual({ chat: all, 'mail server': all })
    },
  )

  // Its server takes a mail after its examination, and would be sent the same one again every
  // minute.
  it('has a minute to be examined by its server', async () => {
    smtp = await smtpServer()
    const patience = vi.spyOn(Socket.prototype, 'setTimeout')
    try {
      const w = world({ settings: settings(smtp.port) })
      w.alerts.raise('market_off', 'KES')
      await w.alerts.flush()
      expect(smtp.mails).toHaveLength(1)
      // The first is that of connecting; the last one set is in force when the text is sent.
      const waits = patience.mock.calls.map(([ms]) => ms).filter((ms) => ms > 0 && ms !== SERVER_WAITS_MS)
      expect(waits).toEqual([expect.any(Number), 60_000])
    } finally {
      patience.mockRestore()
    }
  })

  it('never sends a password in the clear to another machine', async () => {
    smtp = await smtpServer()
    // The address leads to this machine; what counts is that it is not written as loopback.
    const w = world({
      settings: {
        ...settings(smtp.port),
        email: { ...settings(smtp.port).email, smtpUrl: `smtp://ops:secret@[::ffff:127.0.0.1]:${smtp.port}` },
      },
    })
    w.alerts.raise('market_off', 'KES')
    await w.alerts.flush()
    expect(smtp.clear).toContain('EHLO')
    expect(smtp.mails).toHaveLength(0)
    expect(smtp.clear).not.toContain('AUTH')
  })

  const noTls = opensslMissing()
  describe.skipIf(noTls !== undefined)('over TLS', () => {
    // This machine, written as an address that does not count as loopback.
    const host = '::ffff:127.0.0.1'
    const trusted = getCACertificates('default')
    afterEach(() => setDefaultCACertificates(trusted))

    async function mailOver(scheme: 'smtp' | 'smtps', isTrusted: boolean) {
      const folder = mkdtempSync(join(tmpdir(), 'hc-smtp-'))
      const files = { key: join(folder, 'key.pem'), certificate: join(folder, 'certificate.pem') }
      makeCertificate(host, files)
      const [key, cert] = [readFileSync(files.key, 'utf8'), readFileSync(files.certificate, 'utf8')]
      rmSync(folder, { recursive: true })
      if (isTrusted) setDefaultCACertificates([...trusted, cert])
      smtp = await smtpServer({ host, tls: { key, cert, implicit: scheme === 'smtps' } })
      const faults: unknown[] = []
      const email = { ...settings(0).email, smtpUrl: `${scheme}://ops:secret@[${host}]:${smtp.port}` }
      const w = world({
        settings: { silentMinutes: 0, email },
        logger: { ...silentLogger, error: (fields) => void faults.push(fields) },
      })
      w.alerts.raise('market_off', 'KES')
      await w.alerts.flush()
      return { mails: smtp.mails.length, clear: smtp.clear, faults }
    }

    it('arrives by STARTTLS, with nothing but the greeting in the clear', async () => {
      expect(await mailOver('smtp', true)).toEqual({ mails: 1, clear: ['EHLO', 'STARTTLS'], faults: [] })
    })

    it('arrives by smtps', async () => {
      expect(await mailOver('smtps', true)).toEqual({ mails: 1, clear: [], faults: [] })
    })

    it.each(['smtp', 'smtps'] as const)(
      'sends no password to a %s server whose certificate is not trusted',
      async (scheme) => {
        expect(await mailOver(scheme, false)).toEqual({
          mails: 0,
          clear: scheme === 'smtp' ? ['EHLO', 'STARTTLS'] : [],
          faults: [
            {
              kind: 'market_off',
              channel: 'mail',
              err: expect.objectContaining({ message: expect.stringContaining('certificate') }),
            },
          ],
        })
      },
    )
  })
})

it('without chat and mail an alert is a log line and no error', async () => {
  const lines: object[] = []
  const w = world({
    settings: { silentMinutes: 0 },
    logger: { ...silentLogger, warn: (fields) => void lines.push(fields) },
  })
  w.alerts.raise('review', 'HCT1')
  await w.alerts.flush()
  expect(lines).toEqual([{ kind: 'review', detail: 'HCT1' }])
})

it('a stranger who raises one kind without end fills no disk: 60 lines a minute, then how many there were', async () => {
  const lines: Record<string, unknown>[] = []
  const w = world({
    settings: { silentMinutes: 0 },
    logger: { ...silentLogger, warn: (fields) => void lines.push(fields as Record<string, unknown>) },
  })
  for (let n = 1; n <= 5000; n++) w.alerts.raise('webhook_refused', `bad_hash ${n}`)
  w.alerts.raise('market_off', 'KES')
  expect(lines).toHaveLength(61)
  expect(lines[59]).toEqual({ kind: 'webhook_refused', detail: 'bad_hash 60' })
  await w.pass(MINUTE)
  expect(lines.slice(61)).toEqual([{ kind: 'webhook_refused', count: 4940, detail: 'bad_hash 5000' }])
  // The next minute begins anew.
  w.alerts.raise('webhook_refused', 'bad_hash again')
  expect(lines.at(-1)).toEqual({ kind: 'webhook_refused', detail: 'bad_hash again' })
  await w.pass(MINUTE)
  expect(lines).toHaveLength(63)
})

it('a clock that is set back a day does not keep the lines of an alert out of the log', async () => {
  const lines: object[] = []
  const w = world({
    settings: { silentMinutes: 0 },
    logger: { ...silentLogger, warn: (fields) => void lines.push(fields) },
  })
  for (let n = 1; n <= 60; n++) w.alerts.raise('webhook_refused', `bad_hash ${n}`)
  await w.pass(-24 * 60 * MINUTE)
  w.alerts.raise('webhook_refused', 'bad_hash again')
  expect(lines.at(-1)).toEqual({ kind: 'webhook_refused', detail: 'bad_hash again' })
})

it('what is raised while a slow chat is being told is one more message, with its count', async () => {
  let tell: () => void = () => undefined
  const texts: string[] = []
  const w = world({
    fetch: async (input, init) => {
      texts.push(((await new Request(input, init).json()) as { text: string }).text)
      await new Promise<void>((resolve) => (tell = resolve))
      return new Response(null, { status: 200 })
    },
  })
  w.alerts.raise('webhook_refused', 'first')
  await expect.poll(() => texts.length).toBe(1)
  for (let n = 0; n < 1000; n++) w.alerts.raise('webhook_refused', `more ${n}`)
  tell()
  await w.alerts.flush()
  const passed = w.pass(ALERT_QUIET_MS)
  await expect.poll(() => texts.length).toBe(2)
  tell()
  await passed
  expect(texts[1]).toContain('more 999\n1000 times')
})

it('of what any stranger can raise come once a day, with a count, beside the others', async () => {
  const w = world()
  w.alerts.raise('webhook_stray', 'not_json')
  await w.alerts.flush()
  expect(w.posts).toHaveLength(1)
  for (let minute = 0; minute < 24 * 60 - 1; minute += 15) {
    w.alerts.raise('webhook_stray', 'bad_hash')
    await w.wait(minute === 0 ? 14 : 15)
  }
  expect(w.posts).toHaveLength(1)
  w.alerts.raise('webhook_refused', 'bad_hash')
  await w.alerts.flush()
  expect(w.posts).toHaveLength(2)
  await w.wait(2)
  expect(w.posts).toHaveLength(3)
  expect(w.posts[2]?.body['text']).toContain('96 times since the last message')
})

it('who has changed the consumer key at the service alone reads in the first alert, about callbacks, which settings to change', () => {
  const { todo } = adviceFor('webhook_refused')
  for (const name of ['HC_CONSUMER_KEY', 'HC_HASH_KEY_PREVIOUS', 'HC_HASH_ORDER']) expect(todo).toContain(name)
})
