import { describe, expect, test } from 'vitest'
import { findForeignWant, readFetchQuestion } from '../../../../server/hub/git/upload-pack.ts'
import { flushPacket, packetOf } from '../../../../server/hub/git/pkt-line.ts'

const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string]
const read = async (...lines: string[]) =>
  readFetchQuestion(Buffer.concat([...lines.map(packetOf), flushPacket]))

describe('requests of a fetch (gitprotocol-v2, gitprotocol-pack)', () => {
  test('a request is read in both protocols', async () => {
    expect(await read(`want ${a} side-band-64k agent=git/2\n`, `want ${b}\n`)).toEqual({
      wants: new Set([a, b]),
    })
    expect(await read('command=fetch', 'thin-pack', `want ${a}\n`, `have ${b}\n`)).toEqual({
      wants: new Set([a]),
    })
    expect(await read('command=ls-refs\n', 'peel\n')).toEqual({ wants: new Set() })
  })

  test('a request has a limited number of lines', async () => {
    const lines = Array.from({ length: 65_536 }, (_, nr) => {
      return `want ${nr.toString(16).padStart(40, '0')}\n`
    })
    expect((await read(...lines)).wants.size).toBe(65_536)
    const { wants, problem } = await read(...lines, `have ${a}\n`)
    expect([wants.size, problem]).toEqual([
      0,
      'a request can have at most 65,536 lines (wants and haves)',
    ])
  })

  test('another command is not a fetch', async () => {
    await expect(read('command=object-info\n')).rejects.toMatchObject({ code: 'invalid' })
  })

  test.each([
    'blob:none',
    'blob:limit=1k',
    'tree:0',
    'object:type=commit',
    'combine:blob:none+tree:3',
    'combine:blob%3anone+tree%3A3',
  ])('a fetch may use a filter: %s', async (filter) => {
    expect(await read(`want ${a}`, `filter ${filter}\n`)).toEqual({ wants: new Set([a]) })
  })

  test.each([
    ['deepen 1', true],
    ['deepen-since 1700000000', true],
    ['deepen-not refs/heads/main', true],
    ['deepen 0', undefined],
    ['deepen-since yesterday', undefined],
    ['deepen-relative', undefined],
    ['shallow x', undefined],
  ])('a fetch may be shallow: %s', async (line, isShallow) => {
    expect((await read(`want ${a}`, `${line}\n`)).isShallow).toBe(isShallow)
  })

  test.each([
    `sparse:oid=${a}`,
    'sparse:path=x',
    `combine:blob:none+sparse:oid=${a}`,
    `combine:blob:none+sparse%3aoid=${a}`,
    `combine:combine:sparse:oid=${a}`,
    '',
  ])('a fetch cannot read unreachable objects: %s', async (filter) => {
    expect(await read(`want ${a}`, `filter ${filter}\n`)).toMatchObject({
      problem: `filter '${filter}' not supported`,
    })
  })
})

describe('unreachable wants', () => {
  const taken: string[] = []
  async function* ids() {
    taken.length = 0
    for (const id of [a, b]) {
      taken.push(id)
      yield id
    }
  }

  test('the search ends when all wants are found', async () => {
    expect(await findForeignWant(new Set([a]), ids())).toBeUndefined()
    expect(taken).toEqual([a])
    expect(await findForeignWant(new Set([b, a]), ids())).toBeUndefined()
  })

  test('the wants that were not found are returned', async () => {
    expect(await findForeignWant(new Set([b, c]), ids())).toBe(c)
  })
})
