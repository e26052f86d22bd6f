import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixturesSchema } from '../../../server/fixtures/schema.ts'
import { controlGroups, controlSchemas } from '../../../server/tools/types/control-schemas.ts'
import { renderControlTypes } from '../../../server/tools/types/write-control-types.ts'
import { renderFixturesTypes } from '../../../server/tools/types/write-fixtures-types.ts'
import { renderOptionsTypes } from '../../../server/tools/types/write-options-types.ts'
import { compile, root } from '../../helpers/compile.ts'

const publicTypes = [
  'server/contract/control-types.ts',
  'server/client/sandbox-api.ts',
  'server/client/sandbox-parts.ts',
]
const published = {
  'control-types.ts': renderControlTypes(controlSchemas()),
  'fixtures-types.ts': renderFixturesTypes(fixturesSchema),
  'options-types.ts': renderOptionsTypes().replace('fixtures-types.js', 'fixtures-types.ts'),
}
const handleSources = publicTypes.slice(1).map((path) => readFileSync(join(root, path), 'utf8'))
const handle = handleSources.join('\n')
const imported = publicTypes.map((path) => `from '#/${path}'`)

/** Names of the types that a file exports. */
const typesOf = (source: string) =>
  [...source.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = '']) => name)

/** Methods of the handle, `clock.advance` for one, with their docstrings. */
const methods = [...handle.matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms)].flatMap(
  ([, owner = '', body = '']) =>
    [...body.matchAll(/ {2}\/\*\*((?:(?!\*\/).)*)\*\/\n {2}(\w+)(?:<[^>]*>+)?\(/gs)].map(
      ([, said = '', name = '']) => ({ name: `${owner}.${name}`, said }),
    ),
)

const exampleOf = (said: string) =>
  said
    .split('@example')[1]
    ?.replaceAll(/^ *\* ?/gm, '')
    .trim()

/** The examples as functions of a program of the package's users. */
function programOf(examples: readonly string[]): string {
  const taken: string[] = []
  const functions = examples.map((example, index) => {
    const body = example.replaceAll(/^import type \{ (.*) \} from 'hub-sandbox'$/gm, (_, names) => {
      taken.push(String(names))
      return ''
    })
    return `export async function example${index}(sandbox: Sandbox) {\n${body}\n}`
  })
  return [
    `import type { Sandbox } ${imported[1]}`,
    `import type { ${[...new Set(taken)].join(', ')} } ${imported[0]}`,
    ...functions,
  ].join('\n')
}

describe('public types of the package', { timeout: 240_000 }, () => {
  test('are written out as the schemas of the control API, the fixtures and the flags have them', () => {
    const schemas = controlSchemas()
    const checks = Object.entries(controlGroups).flatMap(([path, group]) => {
      const names = Object.keys(group).filter((name) => schemas.has(name))
      return names.map((name) => {
        const own = /^(Loaded|Exported)Fixtures$/.test(name) ? undefined : name
        return own === undefined
          ? ''
          : `type ${name} = Same<Plain<G.${name}>, Plain<Static<typeof import('#/${path}').${name}>>>\nexport const is${name}: ${name} = true`
      })
    })
    const errors = compile(
      `
      import type { Static } from 'typebox'
      import type * as G from './control-types.ts'
      import type * as F from './fixtures-types.ts'
      import type * as O from './options-types.ts'
      import type { Fixtures, FixturesFile } from '#/server/contract/fixtures-types.ts'
      import type { SandboxOptions } from '#/server/contract/options-types.ts'
      // Lists in requests are read-only; apart from that both are the same.
      type Plain<T> = T extends readonly [infer A, infer B] ? [A, B]
        : T extends readonly (infer I)[] ? Plain<I>[]
        : T extends object ? { [K in keyof T]: Plain<T[K]> } : T
      type Same<A, B> = [A, B] extends [B, A] ? true : never
      ${checks.join('\n')}
      export const fixtures: Same<F.Fixtures, Fixtures> = true
      export const file: Same<F.FixturesFile, FixturesFile> = true
      export const options: Same<O.SandboxOptions, SandboxOptions> = true
      // @ts-expect-error the check notices a difference
      export const other: Same<F.Fixtures, FixturesFile> = true`,
      published,
    )
    expect(checks.length).toBeGreaterThan(80)
    expect(errors).toEqual([])
  })

  test('let a program read every answer', () => {
    const errors = compile(`
      import type { Delivery, Sandbox } ${imported[1]}
      export function bodyOf(delivery: Delivery): string | undefined {
        const [name, value] = delivery.attempts[0]?.response?.headers[0] ?? []
        return [name, value, delivery.attempts[0]?.response?.body, delivery.attempts[0]?.timings?.dnsMs].join()
      }
      export async function use(sandbox: Sandbox): Promise<void> {
        const { deliveries, skipped, payloads } = await sandbox.trigger({
          event: 'repo.content', repo: 'alice/tiny', kind: 'push', mode: 'send', preview: true,
          overrides: { 'repo.private': true }, remove: ['repo.tags'] as const, repeat: { times: 2 },
        })
        const reason: 'not-watched' | undefined = skipped[0]?.reason === 'not-watched' ? 'not-watched' : undefined
        const { matches, hints } = await sandbox.faults.add({ match: { route: '*' }, skip: 1, delay: '1s', set: { a: 1 } })
        const { held, count } = await sandbox.barriers.add({ match: {}, count: 1 })
        const { status } = await sandbox.approveDevice('ABCD-EFGH')
        const denied: 'approved' | 'denied' = status
        const { notices } = await sandbox.snapshot()
        await sandbox.clock.set(new Date(0))
        await sandbox.waitForDelivery()
        const { request, response } = await sandbox.expectRequest({ status: '4xx', headers: { accept: /json/ } })
        const explanations: string[] = (await sandbox.flows()).map(({ explanation }) => explanation)
        console.log(request.body, response.headers, explanations, sandbox[Symbol.asyncDispose])
        console.log(deliveries, payloads, reason, matches, hints, held, count, denied, notices)
      }
      // @ts-expect-error no state of a delivery
      export const unknown = (delivery: Delivery) => delivery.state === 'lost'`)
    expect(errors).toEqual([])
  })

  test('can all be named', () => {
    const [generated = [], byHand = [], parts = []] = [
      published['control-types.ts'],
      ...handleSources,
    ].map(typesOf)
    const uses = (names: readonly string[], from: string | undefined) =>
      `import type { ${names.join(', ')} } ${from}\n${names.map((name) => `export type Of${name} = ${name}`).join('\n')}`
    const errors = compile(
      [generated, byHand, parts].map((names, index) => uses(names, imported[index])).join('\n'),
    )
    expect(errors).toEqual([])
    const all = [...generated, ...byHand, ...parts]
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([])
  })
})

describe('docstrings of the handle', { timeout: 240_000 }, () => {
  test('have an example for every method', () => {
    const names = methods.map(({ name }) => name)
    expect(names).toContain('Sandbox.control')
    expect(names.length).toBe([...handle.matchAll(/^ {2}\w+(?:<[^>]*>+)?\(/gm)].length)
    expect(methods.filter(({ said }) => exampleOf(said) === undefined)).toEqual([])
  })

  test.each(methods)('the example of $name calls it', ({ name, said }) => {
    const [owner = '', method] = name.split('.')
    const part = owner.replace('Sandbox', '').replace(/^./, (first) => first.toLowerCase())
    expect(exampleOf(said)).toMatch(
      new RegExp(`\\bsandbox${part && `\\.${part}`}\\.${method}(<\\w+>)?\\(`),
    )
  })

  test('have examples that compile, and would not under another name', () => {
    const program = programOf(methods.map(({ said }) => exampleOf(said) ?? ''))
    expect(compile(program)).toEqual([])
    expect(compile(program.replace('clock.advance(', 'clock.proceed('))).toEqual([
      expect.stringContaining("'proceed' does not exist"),
    ])
  })
})
