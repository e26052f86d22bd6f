import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findRepeatedWords, type Vocabulary } from '../../helpers/repeated-words.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folderOfWords = new URL('../../../server/contract/words/', import.meta.url)
const modules = await Promise.all(
  readdirSync(folderOfWords).map(
    (name): Promise<Record<string, unknown>> => import(new URL(name, folderOfWords).href),
  ),
)

const isList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 1 && value.every((word) => typeof word === 'string')

const vocabulary: Vocabulary = new Map(
  modules.flatMap((words) =>
    Object.entries(words).filter((entry): entry is [string, readonly string[]] => isList(entry[1])),
  ),
)

const own = ['server', 'renderer', 'electron']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
  )
  .filter((file) => !/contract\/words|-types\.ts$/.test(file))

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

describe('the vocabulary', () => {
  test('has the words of deliveries, accounts, hub, tokens and jobs', () => {
    expect([...vocabulary.keys()]).toEqual(
      expect.arrayContaining([
        'deliveryStates',
        'deliveryErrorClasses',
        'skipReasons',
        'deliveryProfiles',
        'logLevels',
        'tokenKinds',
        'grantNames',
        'securityRestrictions',
        'repoTypes',
        'eventScopes',
        'eventActions',
        'jobStages',
        'roles',
        'plans',
        'webhookStatuses',
        'deliveryOrders',
      ]),
    )
  })

  test('is written nowhere else', () => {
    expect(own.length).toBeGreaterThan(300)
    const repeated = own.flatMap((file) =>
      findRepeatedWords(file, textOf(file), vocabulary).map(
        ({ line, list, words }) => `${file}:${line} has ${words.join(', ')} of ${list}`,
      ),
    )
    expect(repeated).toEqual([])
  })

  // The hub's rule about ports is no question of loopback, see there.
  const ownRule = 'server/oauth/redirect-uri.ts'
  test('what loopback is stands in one place', () => {
    const compared =
      /(?:===|!==|case|includes\(|startsWith\(|Set\(\[[^\]]*)\s*'(?:127\.|::1|\[::1)|127\\?\.?[([\\]/
    const definitions = own.filter((file) => compared.test(textOf(file)))
    expect(definitions.toSorted()).toEqual(['server/core/loopback.ts', ownRule])
  })

  test('what an app may know that names no scopes stands in one place', () => {
    const pair = /\[\s*'openid',\s*'profile',?\s*[\].]/
    expect(own.filter((file) => pair.test(textOf(file)))).toEqual(['server/contract/scopes.ts'])
  })
})

describe('a word that is written a second time', () => {
  const lists: Vocabulary = new Map([['states', ['held', 'queued', 'sending']]])
  const found = (source: string) => findRepeatedWords('a.ts', source, lists)

  test.each([
    `type State = 'held' | 'queued'`,
    `interface Row { state: 'held' | 'queued' | 'sending' | 'skipped' }`,
    `const states = ['held', 'queued'] as const`,
    `const open = new Set(['held', 'sending'])`,
    `const State = Type.Union([Type.Literal('held'), Type.Literal('sending')])`,
    `const all: readonly State[] = ['held', 'queued', 'sending']`,
    `type All = Extract<State, 'held' | 'queued' | 'sending'>`,
  ])('is found in %s', (source) => {
    expect(found(source)).toEqual([expect.objectContaining({ line: 1, list: 'states' })])
  })

  test.each([
    `const texts: Record<State, string> = { held: 'Held', queued: 'Queued', sending: 'Sending' }`,
    `const isOpen = state === 'held' || state === 'queued'`,
    `type First = Extract<State, 'held' | 'queued'>`,
    `const open = new Set<State>(['held', 'queued'])`,
    `const open: readonly State[] = ['held', 'queued']`,
    `const open = ['held', 'queued'] satisfies State[]`,
    `const reset = ['held', 'webhooks', 'queued']`,
    `const changed = ['held']`,
  ])('is not found in %s', (source) => {
    expect(found(source)).toEqual([])
  })
})
