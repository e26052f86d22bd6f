import { Buffer } from 'node:buffer'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DamagedError, StateError } from '../../../server/store/errors.ts'
import { encodeUnit } from '../../../server/store/written-change.ts'
import { contents, note, openNotes } from '../../helpers/notes-store.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

type Files = Record<string, string | Buffer>

function readFiles(directory: string): Files {
  const names = readdirSync(directory).filter((name) => name !== 'lock.json')
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(directory, name))]))
}

function folderWith(files: Files): string {
  const directory = temporaryDirectory()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
  return directory
}

const header = (journal: number, format = 1) => `${JSON.stringify({ format, journal })}\n`
/** Line of an earlier version, which has no checksum. */
const unit = (...changes: unknown[]) => `${JSON.stringify(changes)}\n`
const checked = (...changes: unknown[]) =>
  encodeUnit(changes.map((change) => JSON.stringify(change)))
const put = (id: string, title?: string) => ['put', 'notes', note(id, title)]
const snapshot = (journal: number, ...lines: string[]) =>
  [`{"format":1,"journal":${journal},"collections":{`, ...lines, '}}', ''].join('\n')

function joined(lines: readonly (string | Buffer)[]): Buffer {
  const feed = Buffer.from('\n')
  return Buffer.concat(
    lines.flatMap((line, index) => [...(index > 0 ? [feed] : []), Buffer.from(line)]),
  )
}

async function notesIn(files: Files) {
  const directory = folderWith(files)
  const store = await openNotes({ directory })
  return { directory, store, ids: contents(store).notes.map(({ id }) => id) }
}

describe('torn last line', () => {
  test('a torn last line is dropped with its whole unit', async () => {
    const whole = header(1) + unit(put('1'))
    const last = Buffer.from(unit(put('2', 'ünïcode ✓'), put('3')))
    for (let length = 0; length <= last.length; length += 1) {
      const journal = Buffer.concat([Buffer.from(whole), last.subarray(0, length)])
      const { directory, store, ids } = await notesIn({ 'journal-1.ndjson': journal })
      const isTorn = length < last.length
      expect(ids).toEqual(isTorn ? ['1'] : ['1', '2', '3'])
      store.collections.notes.put(note('4'))
      await store.committed()
      const text = readFileSync(join(directory, 'journal-1.ndjson'), 'utf8')
      expect(text).toBe(`${whole}${isTorn ? '' : last.toString()}${checked(put('4'))}`)
      await store.close()
    }
  })

  test('the torn line may be the first one', async () => {
    for (let length = 0; length < header(1).length; length += 1) {
      const torn = header(1).slice(0, length)
      const { directory, store } = await notesIn({ 'journal-1.ndjson': torn })
      expect(store.isNew).toBe(true)
      store.collections.notes.put(note('1'))
      await store.committed()
      const text = readFileSync(join(directory, 'journal-1.ndjson'), 'utf8')
      expect(text).toBe(header(1) + checked(put('1')))
      await store.close()
    }
  })

  test.each([
    ['cut off', header(1) + unit(put('1')) + unit(put('2')).slice(0, -1), 3],
    ['missing', '', 1],
  ])('a torn line before a newer file is refused (%s)', async (problem, torn, line) => {
    const files = { 'journal-1.ndjson': torn, 'journal-2.ndjson': header(2) + unit(put('5')) }
    const directory = folderWith(files)
    await expect(openNotes({ directory })).rejects.toThrow(
      `journal-1.ndjson, line ${line}: ${problem}, although a newer file follows`,
    )
  })
})

test.each([
  ['empty', ''],
  ['cut', header(2).slice(0, 9)],
  ['whole', header(2)],
])('a segment that a failed rotation has left is no newer one: %s', async (_what, left) => {
  const torn = header(1) + unit(put('1')) + unit(put('2')).slice(0, -3)
  const { directory, store, ids } = await notesIn({
    'journal-1.ndjson': torn,
    'journal-2.ndjson': left,
  })
  expect(ids).toEqual(['1'])
  store.collections.notes.put(note('3'))
  await store.committed()
  expect(Object.keys(readFiles(directory))).toEqual(['journal-1.ndjson'])
})

describe('lines that a power cut has spoiled', () => {
  const mark = (before: string) => `{"synced":${Buffer.byteLength(before)}}\n`
  const zeros = '\0'.repeat(40)
  const kept = header(1) + unit(put('1', 'ünïcode ✓'))

  test.each([
    ['at the end', kept, zeros],
    ['within a line', kept, `${unit(put('2')).slice(0, 9)}${zeros}\n${unit(put('3'))}`],
    ['after a mark', kept + mark(kept), zeros + unit(put('3'))],
    [
      'within a character',
      kept,
      Buffer.concat([Buffer.from('["✓').subarray(0, 4), Buffer.alloc(9)]),
    ],
  ])(
    'zeros that were never synced are left out with what follows: %s',
    async (_where, good, bad) => {
      const journal = Buffer.concat([Buffer.from(good), Buffer.from(bad)])
      const problems: string[] = []
      const directory = folderWith({ 'journal-1.ndjson': journal })
      const store = await openNotes({ directory, onProblem: (problem) => problems.push(problem) })
      expect(contents(store).notes.map(({ id }) => id)).toEqual(['1'])
      const length = Buffer.byteLength(good)
      expect(problems).toEqual([
        `${join(directory, 'journal-1.ndjson')} ended with changes that a power cut has spoiled: they are left out from byte ${length} on`,
      ])
      store.collections.notes.put(note('4'))
      await store.committed()
      expect(readFileSync(join(directory, 'journal-1.ndjson'), 'utf8')).toBe(
        good + checked(put('4')),
      )
    },
  )

  test('zeros in the header of a new segment leave the snapshot', async () => {
    const { ids } = await notesIn({
      'state.json': snapshot(1, '"notes":[', '{"id":"1","tags":[]}', ']'),
      'journal-1.ndjson': '\0'.repeat(20),
    })
    expect(ids).toEqual(['1'])
  })

  test('zeros that were synced are damage', async () => {
    const spoiled = `${header(1)}${zeros}\n${unit(put('2'))}`
    const directory = folderWith({ 'journal-1.ndjson': spoiled + mark(spoiled) + unit(put('3')) })
    await expect(openNotes({ directory })).rejects.toThrow('journal-1.ndjson, line 2: not JSON')
  })

  test('changes whose data is lost are left out with what follows, unless they were synced', async () => {
    const lost = new Set(['1', '3'])
    const before = {
      written: () => undefined,
      synced: () => undefined,
      holds: ({ id }: { id: string }) => !lost.has(id),
    }
    const synced = header(1) + unit(put('1'))
    const rest = mark(synced) + unit(put('2')) + unit(put('4'), put('3')) + unit(put('5'))
    const directory = folderWith({ 'journal-1.ndjson': synced + rest })
    const onProblem = () => undefined
    const store = await openNotes({ directory, before, onProblem })
    expect(contents(store).notes.map(({ id }) => id)).toEqual(['1', '2'])
  })

  test('a mark says what was synced, at once and before the next change', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    const journal = () => readFileSync(join(directory, 'journal-1.ndjson'), 'utf8')
    store.collections.notes.put(note('1'))
    await store.synced()
    const synced = header(1) + checked(put('1'))
    const marked = synced + mark(synced)
    expect(journal()).toBe(marked)
    await store.synced()
    expect(journal()).toBe(marked)
    store.collections.notes.put(note('2'))
    await store.committed()
    store.collections.notes.put(note('3'))
    await store.committed()
    expect(journal()).toBe(marked + checked(put('2')) + checked(put('3')))
  })

  test('synced changes stay when their data was removed, and the process is killed twice', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    for (const id of ['1', '2']) store.collections.notes.put(note(id))
    store.collections.notes.delete('1')
    await store.synced()
    // As a kill leaves it. The data of a deleted note may be removed by now.
    const killed = folderWith(readFiles(directory))
    const before = { written: () => undefined, synced: () => undefined, holds: () => false }
    const next = await openNotes({ directory: killed, before })
    expect(contents(next).notes.map(({ id }) => id)).toEqual(['2'])
  })
})

describe('a flipped bit', () => {
  /** Opens the folder with a bit of each byte of a file flipped. @returns what was read, where it was not refused */
  async function readFlipped(files: Files, name: string): Promise<string[][]> {
    const good = Buffer.from(files[name] ?? '')
    const read: string[][] = []
    const problems: string[] = []
    for (let at = 0; at < good.length; at++) {
      const bad = Buffer.from(good)
      bad[at] = (bad[at] ?? 0) ^ (1 << (at % 8))
      const directory = folderWith({ ...files, [name]: bad })
      const opened = await openNotes({ directory, onProblem: () => undefined }).catch(
        (error: unknown) => error as StateError,
      )
      if (opened instanceof StateError) problems.push(opened.message)
      else {
        read.push(contents(opened).notes.map(({ title = '' }) => title))
        await opened.close()
      }
    }
    expect(problems.filter((problem) => !problem.includes(name))).toEqual([])
    return read
  }

  test('in the journal is never read as good', async () => {
    const journal = header(1) + checked(put('1', 'one')) + checked(put('2', 'two'))
    const read = await readFlipped({ 'journal-1.ndjson': journal }, 'journal-1.ndjson')
    // A last line without its end was never confirmed.
    expect([['one']]).toEqual(expect.arrayContaining(read))
  })

  test('in the snapshot is never read as good', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    for (const id of ['1', '2']) store.collections.notes.put(note(id, `title ${id}`))
    await store.close()
    expect(await readFlipped(readFiles(directory), 'state.json')).toEqual([])
  })
})

describe('damaged files to be discarded', () => {
  const good = { 'state.json': snapshot(1, '"notes":[', '{"id":"1","tags":[]}', ']') }
  const segment = { 'journal-1.ndjson': header(1) + unit(put('2')) }
  test.each<[string, Files]>([
    ['a snapshot that was cut off', { ...segment, 'state.json': snapshot(1).slice(0, -4) }],
    [
      'a snapshot that is no JSON',
      { ...segment, 'state.json': snapshot(1, '"notes":[', 'x', ']') },
    ],
    ['a unit after what was good', { ...good, 'journal-1.ndjson': `${header(1)}[]\nx\n` }],
    ['a gap', { ...good, 'journal-2.ndjson': header(2) }],
    ['a newer format', { 'journal-1.ndjson': header(1, 2) }],
  ])('damaged files are renamed: %s', async (_what, files) => {
    const directory = folderWith(files)
    await expect(openNotes({ directory })).rejects.toThrow(DamagedError)
    expect(readFiles(directory)).toEqual(readFiles(folderWith(files)))

    const store = await openNotes({ directory, forgetsDamaged: true })
    expect(contents(store)).toEqual({ notes: [], readers: [] })
    expect(store.isNew).toBe(true)
    store.collections.notes.put(note('3'))
    await store.close()
    expect(readFiles(directory)).toMatchObject(
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => [`${name}.damaged`, Buffer.from(text)]),
      ),
    )
    const again = await openNotes({ directory })
    expect(contents(again).notes).toEqual([note('3')])
  })

  test('only damaged files are renamed; disk errors are not damage', async () => {
    const { directory, store } = await notesIn({ ...good, ...segment })
    await store.close()
    const again = await openNotes({ directory, forgetsDamaged: true })
    expect(contents(again).notes).toHaveLength(2)
    await again.close()
    rmSync(join(directory, 'state.json'))
    mkdirSync(join(directory, 'state.json'))
    await expect(openNotes({ directory, forgetsDamaged: true })).rejects.toThrow(/it is a folder/)
  })
})

describe('crash during a snapshot', () => {
  test('no change is lost at any moment', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    store.collections.notes.put(note('1'))
    store.collections.notes.put(note('gone'))
    await store.renewSnapshot()
    store.collections.notes.put(note('2'))
    store.collections.notes.delete('gone')
    await store.committed()
    const before = readFiles(directory)
    await store.renewSnapshot()
    store.collections.notes.put(note('3'))
    await store.committed()
    const after = readFiles(directory)
    await store.close()
    expect(Object.keys(before)).toEqual(['journal-2.ndjson', 'state.json'])
    expect(Object.keys(after)).toEqual(['journal-3.ndjson', 'state.json'])

    const { 'journal-3.ndjson': newSegment = '', 'state.json': newSnapshot = '' } = after
    const half = newSnapshot.slice(0, newSnapshot.length / 2)
    const moments: [Files, string[]][] = [
      [before, ['1', '2']],
      [{ ...before, 'journal-3.ndjson': '' }, ['1', '2']],
      [{ ...before, 'journal-3.ndjson': header(3).slice(0, 8) }, ['1', '2']],
      [{ ...before, 'journal-3.ndjson': header(3) }, ['1', '2']],
      [{ ...before, 'journal-3.ndjson': newSegment }, ['1', '2', '3']],
      [{ ...before, 'journal-3.ndjson': newSegment, 'state.json.tmp': half }, ['1', '2', '3']],
      [
        { ...before, 'journal-3.ndjson': newSegment, 'state.json.tmp': newSnapshot },
        ['1', '2', '3'],
      ],
      [{ ...before, ...after }, ['1', '2', '3']],
      [after, ['1', '2', '3']],
    ]
    for (const [files, expected] of moments) {
      const first = await notesIn(files)
      expect(first.ids).toEqual(expected)
      first.store.collections.notes.put(note('4'))
      await first.store.committed()
      const second = await notesIn(readFiles(first.directory))
      expect(second.ids).toEqual([...expected, '4'])
      await first.store.close()
      expect(Object.keys(readFiles(first.directory))).toHaveLength(2)
    }
  })

  test('older segments are deleted by the next start', async () => {
    const { directory, ids } = await notesIn({
      'state.json': snapshot(3, '"notes":[', JSON.stringify(note('1')), ']'),
      'journal-1.ndjson': 'whatever',
      'journal-2.ndjson': header(2) + unit(put('2')),
      'journal-3.ndjson': header(3) + unit(put('3')),
      'journal-x.ndjson': 'not ours',
    })
    expect(ids).toEqual(['1', '3'])
    expect(Object.keys(readFiles(directory))).toEqual([
      'journal-3.ndjson',
      'journal-x.ndjson',
      'state.json',
    ])
  })
})

describe('long journals', () => {
  /** Two of them do not fit into what is read at once, and each letter takes three bytes. */
  const long = (id: string) => note(id, `${id}-${'✓ä'.repeat(40_000)}`)
  const many = Array.from({ length: 1500 }, (_, index) =>
    note(String(index), `${'x'.repeat(index % 700)}✓${index}`, 'ü'),
  )
  const notes = [
    ...many,
    long('long'),
    long('longer'),
    note('huge', '𝄞'.repeat(80_000)),
    note('last'),
  ]
  const journal = [header(1), ...notes.map((each) => unit(['put', 'notes', each]))]
  const records = notes.map((each, index) =>
    JSON.stringify(each).concat(index < notes.length - 1 ? ',' : ''),
  )
  const stored = snapshot(1, '"readers":[', '{"id":"ann"}', '],', '"notes":[', ...records, ']')

  async function refusal(files: Files): Promise<unknown> {
    const opening = openNotes({ directory: folderWith(files) })
    return opening.then(() => undefined).catch((reason: unknown) => reason)
  }

  test.each([
    ['a journal', { 'journal-1.ndjson': journal.join('') }],
    ['a snapshot', { 'state.json': stored, 'journal-1.ndjson': header(1) }],
  ])('all lines are read in order (%s)', async (_name, files: Files) => {
    const store = await openNotes({ directory: folderWith(files) })
    expect(contents(store).notes).toEqual(notes)
  })

  test('reading ends at the torn last line', async () => {
    const text = Buffer.from(journal.join(''))
    const block = 256 * 1024
    for (const length of [block - 1, block, block + 1, 2 * block, text.length - 1]) {
      const torn = text.subarray(0, length)
      const whole = torn.toString('latin1').split('\n').length - 2
      const { store, ids } = await notesIn({ 'journal-1.ndjson': torn })
      expect(ids).toEqual(notes.slice(0, whole).map(({ id }) => id))
      await store.close()
    }
  })

  const damages: [name: string, damage: (line: string) => string | Buffer, problem: string][] = [
    ['is cut off', (line) => line.slice(0, -9), 'not JSON ('],
    ['has two in it', (line) => `${line},${line}`, 'not JSON ('],
    ['is empty', () => '', 'not JSON ('],
    ['has a line feed in a word', (line) => line.replace('✓', '\n'), 'not JSON ('],
    ['is not UTF-8', (line) => Buffer.from(line, 'latin1'), 'not UTF-8'],
  ]
  const places = [2, 760, 1499]

  test.each(damages)('the error names the line that %s', async (_name, damage, problem) => {
    for (const place of places) {
      const units = journal.map((line, at): string | Buffer =>
        at === place - 1 ? damage(line.slice(0, -1)) : line.slice(0, -1),
      )
      const error = await refusal({ 'journal-1.ndjson': joined([...units, '']) })
      expect(error).toMatchObject({ name: 'DamagedError', line: place })
      expect((error as StateError).message).toContain(problem)

      const lines = stored
        .split('\n')
        .map((line, at): string | Buffer => (at === place + 3 ? damage(line.slice(0, -1)) : line))
      const another = await refusal({ 'state.json': joined(lines), 'journal-1.ndjson': header(1) })
      expect(another).toMatchObject({ name: 'DamagedError', line: place + 4 })
      expect((another as StateError).message).toContain(problem)
    }
  })

  test('the error names the first wrong line', async () => {
    const wrong = unit(['put', 'notes', { id: 'wrong' }])
    const units = journal.toSpliced(1000, 2, wrong, 'oops\n')
    const error = await refusal({ 'journal-1.ndjson': units.join('') })
    expect(error).toMatchObject({ line: 1001, message: expect.stringMatching(/notes "wrong"/) })
    const noText = joined([
      ...units.slice(0, 1002).map((line) => line.slice(0, -1)),
      Buffer.of(0xff),
      '',
    ])
    expect(await refusal({ 'journal-1.ndjson': noText })).toMatchObject({ line: 1001 })
  })

  test('lines that are valid only together are refused', async () => {
    const [first = '', second = ''] = [unit(put('1')), unit(put('2'))].map((line) =>
      line.slice(0, -1),
    )
    const files = { 'journal-1.ndjson': `${header(1)}${first.slice(0, -1)}\n${second.slice(1)}\n` }
    expect(await refusal(files)).toMatchObject({ line: 2 })
  })
})

describe('unreadable files', () => {
  const one = JSON.stringify(note('1', 'same'))
  const two = JSON.stringify(note('2', 'same'))
  const cases: [
    name: string,
    files: Files,
    file: string,
    line: number | undefined,
    problem: RegExp,
  ][] = [
    [
      'a line of the journal that is not JSON',
      { 'journal-1.ndjson': `${header(1)}${unit(put('1'))}[["put","notes"\n${unit(put('2'))}` },
      'journal-1.ndjson',
      3,
      /not JSON \(/,
    ],
    [
      'a last line of the journal that is whole, but not JSON',
      { 'journal-1.ndjson': `${header(1)}oops\n` },
      'journal-1.ndjson',
      2,
      /not JSON \(/,
    ],
    [
      'a line that is not UTF-8',
      {
        'journal-1.ndjson': Buffer.concat([
          Buffer.from(header(1)),
          Buffer.from([0x22, 0xff, 0x22, 0x0a]),
        ]),
      },
      'journal-1.ndjson',
      2,
      /not UTF-8/,
    ],
    [
      'a record in the journal that the schema refuses',
      {
        'journal-1.ndjson':
          header(1) + unit(put('1')) + unit(['put', 'notes', { id: '7', tags: ['a', 5] }]),
      },
      'journal-1.ndjson',
      3,
      /notes "7": \/tags\/1 must be string/,
    ],
    [
      'a record in the snapshot that the schema refuses',
      {
        'state.json': snapshot(
          1,
          '"readers":[',
          '{"id":"ann"}',
          '],',
          '"notes":[',
          '{"id":"7"}',
          ']',
        ),
        'journal-1.ndjson': header(1),
      },
      'state.json',
      6,
      /notes "7": must have required propert/,
    ],
    [
      'a record without an id',
      { 'journal-1.ndjson': header(1) + unit(['put', 'notes', { tags: [] }]) },
      'journal-1.ndjson',
      2,
      /a record of notes has no id/,
    ],
    [
      'an unknown collection in the journal',
      { 'journal-1.ndjson': header(1) + unit(['delete', 'poems', '1']) },
      'journal-1.ndjson',
      2,
      /there is no collection "poems"/,
    ],
    [
      'an unknown collection in the snapshot',
      { 'state.json': snapshot(1, '"poems":[', '{"id":"1"}', ']'), 'journal-1.ndjson': header(1) },
      'state.json',
      3,
      /there is no collection "poems"/,
    ],
    [
      'an unknown kind of change',
      { 'journal-1.ndjson': header(1) + unit(['patch', 'notes', '1']) },
      'journal-1.ndjson',
      2,
      /not a change: \["patch","notes","1"\]/,
    ],
    [
      'a changed member of nothing',
      { 'journal-1.ndjson': header(1) + unit(put('1')) + unit(['set', 'notes', '2', {}]) },
      'journal-1.ndjson',
      3,
      /notes has no "2" to change/,
    ],
    [
      'a changed member that the schema refuses',
      { 'journal-1.ndjson': header(1) + unit(put('1'), ['set', 'notes', '1', { title: 1 }]) },
      'journal-1.ndjson',
      2,
      /notes "1": \/title must be string/,
    ],
    [
      'a member that has to be there and is gone',
      { 'journal-1.ndjson': header(1) + unit(put('1'), ['set', 'notes', '1', {}, ['tags']]) },
      'journal-1.ndjson',
      2,
      /notes "1": must have required propert/,
    ],
    [
      'changed members that are none',
      { 'journal-1.ndjson': header(1) + unit(put('1'), ['set', 'notes', '1', ['title']]) },
      'journal-1.ndjson',
      2,
      /not a change: \["set","notes","1",\["title"\]\]/,
    ],
    [
      'a line that is no list of changes',
      { 'journal-1.ndjson': `${header(1)}{"id":"1"}\n` },
      'journal-1.ndjson',
      2,
      /not a list of changes/,
    ],
    [
      'a change that is none',
      { 'journal-1.ndjson': `${header(1)}[7]\n` },
      'journal-1.ndjson',
      2,
      /not a change: 7/,
    ],
    [
      'a change that is none, and longer than anybody reads',
      { 'journal-1.ndjson': `${header(1)}${unit('x'.repeat(100_000))}` },
      'journal-1.ndjson',
      2,
      /not a change: "x{199}…$/,
    ],
    [
      'a change that is none, and nested deeper than it could be told',
      { 'journal-1.ndjson': `${header(1)}${'['.repeat(100_000)}${']'.repeat(100_000)}\n` },
      'journal-1.ndjson',
      2,
      /not a change: it is nested too deeply$/,
    ],
    [
      'a unique key that two records have',
      {
        'state.json': snapshot(1, '"notes":[', `${one},`, two, ']'),
        'journal-1.ndjson': header(1),
      },
      'state.json',
      4,
      /"2" cannot have the title "same", "1" has it/,
    ],
    [
      'a unique key that a change takes twice',
      { 'journal-1.ndjson': header(1) + unit(put('1', 'same')) + unit(put('2', 'same')) },
      'journal-1.ndjson',
      3,
      /"2" cannot have the title "same", "1" has it/,
    ],
    [
      'an id that is duplicated',
      {
        'state.json': snapshot(1, '"notes":[', `${one},`, one, ']'),
        'journal-1.ndjson': header(1),
      },
      'state.json',
      4,
      /notes "1" is duplicated/,
    ],
    [
      'a snapshot of a newer version',
      {
        'state.json': '{"format":9,"journal":1,"collections":{\n}}\n',
        'journal-1.ndjson': header(1, 9),
      },
      'state.json',
      1,
      /written by a newer version of hub-sandbox \(format 9, this version reads 1\)$/,
    ],
    [
      'a journal of a newer version',
      { 'journal-1.ndjson': header(1, 2) },
      'journal-1.ndjson',
      1,
      /written by a newer version/,
    ],
    [
      'a snapshot of an older version',
      {
        'state.json': '{"format":0,"journal":1,"collections":{\n}}\n',
        'journal-1.ndjson': header(1, 0),
      },
      'state.json',
      1,
      /written by a version before 0\.1/,
    ],
    [
      'a journal that is something else',
      { 'journal-1.ndjson': 'null\n' },
      'journal-1.ndjson',
      1,
      /not the start of journal 1/,
    ],
    [
      'a journal under the name of another',
      { 'journal-1.ndjson': header(2) },
      'journal-1.ndjson',
      1,
      /not the start of journal 1/,
    ],
    [
      'a snapshot that was laid out anew',
      { 'state.json': JSON.stringify({ format: 1, journal: 1, collections: {} }, undefined, 2) },
      'state.json',
      1,
      /not in the layout it was written in, one record per line/,
    ],
    [
      'a snapshot with something between the collections',
      { 'state.json': snapshot(1, '"notes":[', ']', 'what?') },
      'state.json',
      4,
      /not in the layout/,
    ],
    [
      'a snapshot with something after its end',
      { 'state.json': `${snapshot(1)}{}\n` },
      'state.json',
      3,
      /not in the layout/,
    ],
    ['an empty snapshot', { 'state.json': '' }, 'state.json', 0, /ends too early, after line 0/],
    [
      'a snapshot without its end',
      { 'state.json': '{"format":1,"journal":1,"collections":{\n"notes":[\n' },
      'state.json',
      2,
      /ends too early, after line 2/,
    ],
    [
      'a snapshot cut off within a line',
      { 'state.json': snapshot(1, '"notes":[', one).slice(0, 70) },
      'state.json',
      3,
      /not in the layout/,
    ],
    [
      'a record of the snapshot that is not JSON',
      { 'state.json': snapshot(1, '"notes":[', '{"id":', ']') },
      'state.json',
      3,
      /not JSON \(/,
    ],
    [
      'a journal without its snapshot',
      { 'journal-2.ndjson': header(2) },
      'state.json',
      undefined,
      /state\.json is missing; the other files in the folder depend on it/,
    ],
    [
      'a snapshot without its journal',
      { 'state.json': snapshot(4), 'journal-3.ndjson': header(3) },
      'journal-4.ndjson',
      undefined,
      /journal-4\.ndjson is missing/,
    ],
    [
      'a gap in the journal',
      { 'state.json': snapshot(1), 'journal-1.ndjson': header(1), 'journal-3.ndjson': header(3) },
      'journal-2.ndjson',
      undefined,
      /journal-2\.ndjson is missing/,
    ],
  ]

  test.each(cases)('the start stops: %s', async (_name, files, file, line, problem) => {
    const directory = folderWith(files)
    const before = readFiles(directory)
    const path = join(directory, file)

    const error: unknown = await openNotes({ directory }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StateError)
    expect(error).toMatchObject({ file: path, message: expect.stringMatching(problem) as string })
    expect((error as StateError).line).toBe(line)
    expect((error as StateError).message).toContain(path)
    expect((error as StateError).message).toContain(line ? `line ${line}` : path)

    expect(readFiles(directory)).toEqual(before)
    expect(readdirSync(directory)).not.toContain('lock.json')
  })

  test('the error names a folder that is a file', async () => {
    const file = join(folderWith({ 'a-file': '' }), 'a-file')
    await expect(openNotes({ directory: file })).rejects.toThrow(
      `cannot use the data folder ${file}: a file is in the way (EEXIST)`,
    )
    const below = join(file, 'below')
    await expect(openNotes({ directory: below })).rejects.toThrow(
      `cannot use the data folder ${below}: a part of the path is a file, not a folder (ENOTDIR)`,
    )
  })

  test.skipIf(process.getuid?.() === 0)('the error names a missing permission', async () => {
    const directory = folderWith({ 'journal-1.ndjson': header(1) })
    chmodSync(join(directory, 'journal-1.ndjson'), 0)
    await expect(openNotes({ directory })).rejects.toThrow(
      /cannot read .*journal-1\.ndjson: permission denied \(EACCES\)/,
    )
    chmodSync(directory, 0o500)
    await expect(openNotes({ directory })).rejects.toThrow(
      /cannot use the data folder .*: permission denied \(EACCES\)\. Choose one .* with --data/,
    )
    chmodSync(directory, 0o700)
  })
})

describe('large lines and files', () => {
  test('lines are read across the chunks of the stream', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory })
    const { notes } = store.collections
    for (let id = 0; id < 40; id += 1) notes.put(note(`${id}`, `${id} ${'ü✓'.repeat(30_000)}`))
    await store.committed()
    const files = readFiles(directory)
    const fromJournal = await notesIn(files)
    expect(contents(fromJournal.store)).toEqual(contents(store))
    await store.close()
    const fromSnapshot = await openNotes({ directory })
    expect(contents(fromSnapshot)).toEqual(contents(store))
  })
})

describe('a data folder', () => {
  test('a data folder may be moved', async () => {
    const directory = temporaryDirectory()
    const store = await openNotes({ directory: join(directory, 'here') })
    store.collections.notes.put(note('1'))
    await store.close()
    renameSync(join(directory, 'here'), join(directory, 'there'))
    const moved = await openNotes({ directory: join(directory, 'there') })
    expect(contents(moved).notes).toEqual([note('1')])
    rmSync(join(directory, 'there', 'lock.json'))
    await moved.close()
  })
})

describe('changed members', () => {
  test('changed members replace the earlier ones, removed ones go', async () => {
    const { store } = await notesIn({
      'state.json': snapshot(2, '"notes":[', JSON.stringify(note('1', 'old', 'red')), ']'),
      'journal-2.ndjson':
        header(2) +
        unit(put('2', 'two'), ['set', 'notes', '1', { title: 'new' }]) +
        unit(['set', 'notes', '2', { tags: ['blue'] }, ['title']]),
    })
    expect(contents(store).notes).toEqual([note('1', 'new', 'red'), note('2', undefined, 'blue')])
    expect(store.collections.notes.find('title', 'new')?.id).toBe('1')
    expect(store.collections.notes.group('tag', 'blue').map(({ id }) => id)).toEqual(['2'])
  })

  test('a member may have any name without changing the prototype', async () => {
    const poisoned = '[["set","notes","1",{"__proto__":{"title":"inherited"}}]]\n'
    const { store } = await notesIn({
      'journal-1.ndjson': header(1) + unit(put('1')) + poisoned,
    })
    const [read] = contents(store).notes
    expect(read?.title).toBeUndefined()
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  })
})

describe('a folder of an older format', () => {
  const old: Files = {
    'state.json': snapshot(2, '"notes":[', JSON.stringify(note('1')), ']'),
    'journal-2.ndjson': header(2) + unit(put('2')),
  }

  test('is refused and left unchanged', async () => {
    const directory = folderWith(old)
    await expect(openNotes({ directory, formatVersion: 2 })).rejects.toThrow(
      /written by a version before 0\.1/,
    )
    expect(readFiles(directory)).toEqual(readFiles(folderWith(old)))
  })
})
