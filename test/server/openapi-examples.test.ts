// The examples of the published description: each door has some, each fits its schema, and the
// companion takes the bodies.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { problems } from '../../server/contract/index.ts'
import { componentExamples, examplesOf } from '../../server/http/openapi-examples.ts'
import { endpoints } from '../../server/http/openapi-endpoints.ts'
import { openapi } from '../../server/http/openapi.ts'
import * as contract from '../../server/contract/index.ts'
import { createTestSystem, newKey, type TestSystem } from '../helpers/create-test-system.ts'

interface Media {
  readonly schema?: unknown
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>
}
interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly examples: Readonly<Record<string, { readonly summary: string; value: unknown }>> }
}

const description = JSON.parse(JSON.stringify(openapi('https://pay.shop.example'))) as Description
const known = description.components.examples

/** Every body and answer that has a schema, with where it is. */
const media = [
  ...Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  ),
  ...Object.entries(description.webhooks).map(([type, { post }]) => [type, post] as const),
].flatMap(([door, { requestBody, responses }]) => [
  ...Object.entries(requestBody?.content ?? {}).map(([type, one]) => ({
    where: `${door} takes ${type}`,
    one,
    status: undefined,
  })),
  ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).map(([type, one]) => ({ where: `${door} ${status} ${type}`, one, status })),
  ),
])

describe('the examples', () => {
  it('are at each body and each answer that has a schema, and each leads somewhere', () => {
    const described = media.filter(({ one }) => one.schema !== undefined)
    expect(described.length).toBeGreaterThan(100)
    for (const { where, one } of described) {
      const references = Object.entries(one.examples ?? {})
      expect(references.length, where).toBeGreaterThan(0)
      for (const [name, { $ref }] of references) {
        expect($ref, where).toBe(`#/components/examples/${name}`)
        expect(known[name]?.summary, `${where}: ${name}`).toMatch(/^[A-Z]/)
      }
    }
  })

  it('are all used, but for the refusal of a method, which every address gives', () => {
    const used = new Set(media.flatMap(({ one }) => Object.keys(one.examples ?? {})))
    expect(Object.keys(known).filter((name) => !used.has(name))).toEqual(['method_not_allowed'])
  })

  it('fit their schemas, and have no field that these do not know', () => {
    const schemas = endpoints.flatMap(({ requestBody, answers }) =>
      [requestBody?.content, ...Object.values(answers).map(({ content }) => content)].flatMap((content) =>
        Object.values(content ?? {}).map((one) => (one as Media | undefined)?.schema),
      ),
    )
    let parsed = 0
    for (const schema of new Set([...schemas, contract.Notice])) {
      if (!(schema instanceof z.ZodType)) continue
      for (const name of Object.keys(examplesOf(schema))) {
        const { value } = componentExamples()[name] ?? {}
        expect(schema.parse(value), name).toEqual(value)
        parsed++
      }
    }
    expect(parsed).toBeGreaterThan(40)
  })

  it('of problems have their own code, and stand at its status', () => {
    for (const [code, { status, title }] of Object.entries(problems)) {
      const problem = contract.Problem.parse(known[code]?.value)
      expect(problem).toEqual(known[code]?.value)
      expect(problem).toMatchObject({ code, status, title, type: `/problems/${code}` })
      expect(problem.detail, code).toMatch(/^\S+ .*\.$/)
    }
    for (const { where, one, status } of media.filter(({ where: door }) => door.endsWith('problem+json')))
      for (const name of Object.keys(one.examples ?? {}))
        expect(known[name]?.value, where).toMatchObject({ status: Number(status) })
    expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(problems)))
  })

  it('of notices are of the type that they stand at', () => {
    for (const type of contract.NoticeType.options) {
      const examples = description.webhooks[type]?.post.requestBody?.content['application/json']?.examples ?? {}
      expect(Object.keys(examples).map((name) => known[name]?.value)).toMatchObject([{ type }])
    }
  })
})

describe('the companion takes', () => {
  let system: TestSystem
  beforeAll(async () => (system = await createTestSystem({ settings: { consoleUsers: [] } })))
  afterAll(() => system.close())

  const bodyOf = (name: string) => ({ method: 'POST', body: JSON.stringify(known[name]?.value) })

  it.each(['createSession', 'createSessionForPayer'])('%s as it stands', async (name) => {
    expect((await system.backend('/v1/sessions', bodyOf(name))).status).toBe(201)
  })

  it('payOpenly as it stands', async () => {
    const headers = { 'idempotency-key': newKey() }
    expect((await system.browser('/v1/deposits', { ...bodyOf('payOpenly'), headers })).status).toBe(201)
  })

  it('createLink as it stands', async () => {
    expect((await system.backend('/v1/links', bodyOf('createLink'))).status).toBe(201)
  })
})
