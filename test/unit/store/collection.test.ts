import { Type } from 'typebox'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Change, MemoryCollection } from '../../../server/store/collection.ts'
import { definitions, note, openNotes } from '../../helpers/notes-store.ts'

async function openCollection() {
  const { collections } = await openNotes()
  return collections.notes
}

function ids(entities: Iterable<{ id: string }>): string[] {
  return Array.from(entities, ({ id }) => id)
}

describe('collection', () => {
  test('a collection inserts, replaces, deletes and clears', async () => {
    const notes = await openCollection()
    const first = note('1', 'one')
    expect(notes.put(first)).toBe(first)
    notes.put(note('2', 'two'))
    notes.put(note('1', 'uno'))
    expect(notes.get('1')).toEqual(note('1', 'uno'))
    expect(notes.has('2')).toBe(true)
    expect(notes.size).toBe(2)
    expect(notes.delete('2')).toBe(true)
    expect(notes.delete('2')).toBe(false)
    expect(notes.get('2')).toBeUndefined()
    notes.clear()
    expect(notes.size).toBe(0)
    expect(ids(notes.values())).toEqual([])
    expect(notes.find('title', 'uno')).toBeUndefined()
  })

  test('the oldest and the newest entity are found without a look at the others', async () => {
    const notes = await openCollection()
    const counting = vi.spyOn(Map.prototype, 'values')
    onTestFinished(() => counting.mockRestore())
    const ends = () => [notes.first()?.id, notes.last()?.id]
    expect(ends()).toEqual([undefined, undefined])
    for (const id of ['a', 'b', 'c', 'd']) notes.put(note(id))
    expect(ends()).toEqual(['a', 'd'])
    notes.put(note('a', 'again'))
    expect(ends()).toEqual(['a', 'd'])
    for (const id of ['d', 'b', 'a']) notes.delete(id)
    expect(ends()).toEqual(['c', 'c'])
    notes.put(note('a'))
    expect(ends()).toEqual(['c', 'a'])
    notes.delete('c')
    expect(ends()).toEqual(['a', 'a'])
    notes.clear()
    notes.put(note('e'))
    expect(ends()).toEqual(['e', 'e'])
    expect(counting).not.toHaveBeenCalled()
  })

  test('a replaced entity keeps its place in the insertion order', async () => {
    const notes = await openCollection()
    for (const id of ['c', 'a', 'b']) notes.put(note(id))
    notes.put(note('c', 'again'))
    expect(ids(notes.values())).toEqual(['c', 'a', 'b'])
    expect(notes.first()?.id).toBe('c')
    expect(notes.last()?.id).toBe('b')
    notes.delete('c')
    notes.delete('b')
    expect(notes.first()?.id).toBe('a')
    expect(notes.last()?.id).toBe('a')
    notes.put(note('c'))
    expect(ids(notes.values())).toEqual(['a', 'c'])
    notes.clear()
    expect(notes.first()).toBeUndefined()
    expect(notes.last()).toBeUndefined()
  })

  test.each([
    ['the entity in hand', ['2'], ['1', '2', '3', '4', 'new']],
    ['the ones in hand and before', ['1', '2'], ['1', '2', '3', '4', 'new']],
    ['the ones ahead', ['3', '4'], ['1', '2', 'new']],
    ['all', ['1', '2', '3', '4'], ['1', '2', 'new']],
  ])('an iteration continues when %s are deleted', async (_name, doomed, seen) => {
    const notes = await openCollection()
    for (const id of ['1', '2', '3', '4']) notes.put(note(id))
    const visited: string[] = []
    for (const { id } of notes.values()) {
      visited.push(id)
      if (id !== '2') continue
      for (const other of doomed) notes.delete(other)
      notes.put(note('new'))
    }
    expect(visited).toEqual(seen)
  })

  test('an iteration from the newest continues during deletions', async () => {
    const notes = await openCollection()
    for (const id of ['1', '2', '3', '4', '5', '6']) notes.put(note(id))
    const visited: string[] = []
    for (const { id } of notes.newestFirst()) {
      visited.push(id)
      if (id !== '5') continue
      for (const doomed of ['4', '5', '1', '3']) notes.delete(doomed)
      notes.put(note('new'))
      notes.put(note('2', 'again'))
    }
    expect(visited).toEqual(['6', '5', '2'])
    expect(ids(notes.newestFirst())).toEqual(['new', '6', '2'])
    notes.clear()
    expect(ids(notes.newestFirst())).toEqual([])
  })

  test('an iteration continues after the collection was cleared', async () => {
    const notes = await openCollection()
    for (const id of ['1', '2', '3']) notes.put(note(id))
    const visited: string[] = []
    for (const { id } of notes.values()) {
      visited.push(id)
      if (id !== '2') continue
      notes.clear()
      notes.put(note('new'))
    }
    expect(visited).toEqual(['1', '2', 'new'])
  })

  test('each real change is reported', () => {
    const changes: Change[] = []
    const things = new MemoryCollection<{ id: string }, never, never>(
      'things',
      { schema: Type.Object({ id: Type.String() }) },
      (change) => changes.push(change),
    )
    things.clear()
    things.delete('1')
    things.put({ id: '1' })
    things.delete('1')
    things.put({ id: '2' })
    things.clear()
    expect(changes).toEqual([
      ['put', 'things', { id: '1' }],
      ['delete', 'things', '1'],
      ['put', 'things', { id: '2' }],
      ['clear', 'things'],
    ])
  })
})

describe('unique index', () => {
  test('a unique index follows changes of a key', async () => {
    const notes = await openCollection()
    notes.put(note('1', 'old'))
    notes.put(note('1', 'new'))
    expect(notes.find('title', 'old')).toBeUndefined()
    expect(notes.find('title', 'new')?.id).toBe('1')
    notes.put(note('1'))
    expect(notes.find('title', 'new')).toBeUndefined()
    notes.put(note('1', 'back'))
    notes.delete('1')
    expect(notes.find('title', 'back')).toBeUndefined()
    notes.put(note('2', 'back'))
    expect(notes.find('title', 'back')?.id).toBe('2')
  })

  test('a key of another id is refused without a change', async () => {
    const notes = await openCollection()
    notes.put(note('1', 'taken', 'x'))
    notes.put(note('2', 'free', 'y'))
    const message = 'notes: "2" cannot have the title "taken", "1" has it'
    expect(() => notes.put(note('2', 'taken', 'x'))).toThrow(message)
    expect(notes.find('title', 'taken')?.id).toBe('1')
    expect(notes.find('title', 'free')?.id).toBe('2')
    expect(ids(notes.group('tag', 'x'))).toEqual(['1'])
    expect(() => notes.put(note('3', 'taken'))).toThrow(/"3" cannot have the title "taken"/)
    expect(notes.has('3')).toBe(false)
  })

  test('any number of entities may have no key', async () => {
    const notes = await openCollection()
    notes.put(note('1'))
    notes.put(note('2'))
    expect(notes.size).toBe(2)
  })
})

describe('group index', () => {
  test('a group index follows changes of a key', async () => {
    const notes = await openCollection()
    notes.put(note('1', undefined, 'red', 'blue', 'red'))
    notes.put(note('2', undefined, 'red'))
    expect(ids(notes.group('tag', 'red'))).toEqual(['1', '2'])
    expect(notes.groupSize('tag', 'red')).toBe(2)
    notes.put(note('1', undefined, 'blue', 'green'))
    expect(ids(notes.group('tag', 'red'))).toEqual(['2'])
    expect(notes.group('tag', 'green')).toEqual([note('1', undefined, 'blue', 'green')])
    notes.delete('1')
    expect(notes.group('tag', 'blue')).toEqual([])
    expect(notes.groupSize('tag', 'blue')).toBe(0)
    notes.clear()
    expect(notes.groupSize('tag', 'red')).toBe(0)
  })

  test('a group has the order of the collection', async () => {
    const notes = await openCollection()
    notes.put(note('1'))
    for (const id of ['2', '3', '4']) notes.put(note(id, undefined, 'red'))
    notes.put(note('1', undefined, 'red'))
    notes.put(note('3'))
    notes.put(note('3', undefined, 'red'))
    expect(ids(notes.group('tag', 'red'))).toEqual(['1', '2', '3', '4'])
    notes.put(note('5', undefined, 'red'))
    expect(ids(notes.group('tag', 'red'))).toEqual(['1', '2', '3', '4', '5'])
  })

  test('a group index follows one key, several and none', async () => {
    const notes = await openCollection()
    expect(notes.group('tag', 'red')).toEqual([])
    const steps: [change: () => unknown, ids: string[]][] = [
      [() => notes.put(note('1')), []],
      [() => notes.put(note('2', undefined, 'red')), ['2']],
      [() => notes.put(note('2', 'renamed', 'red')), ['2']],
      [() => notes.put(note('1', undefined, 'red')), ['1', '2']],
      [() => notes.put(note('3', undefined, 'red')), ['1', '2', '3']],
      [() => notes.put(note('1')), ['2', '3']],
      [() => notes.delete('2'), ['3']],
      [() => notes.put(note('2', undefined, 'red')), ['3', '2']],
      [() => notes.delete('2'), ['3']],
      [() => notes.put(note('3')), []],
      [() => notes.put(note('3', undefined, 'red')), ['3']],
      [() => notes.clear(), []],
    ]
    for (const [change, expected] of steps) {
      change()
      expect(ids(notes.group('tag', 'red'))).toEqual(expected)
      expect(notes.groupSize('tag', 'red')).toBe(expected.length)
    }
  })

  test('a group index is built at its first use', () => {
    let calls = 0
    const tagOf = ({ tag }: { tag: string }) => {
      calls += 1
      return tag
    }
    const things = new MemoryCollection<{ id: string; tag: string }, never, 'tag'>(
      'things',
      { schema: Type.Object({ id: Type.String(), tag: Type.String() }), groups: { tag: tagOf } },
      () => undefined,
    )
    things.put({ id: 'cleared', tag: 'red' })
    things.clear()
    for (const id of ['1', '2', '3', '4']) things.put({ id, tag: 'red' })
    things.put({ id: '2', tag: 'blue' })
    things.delete('3')
    expect(calls).toBe(0)
    expect(ids(things.group('tag', 'red'))).toEqual(['1', '4'])
    expect(things.groupSize('tag', 'blue')).toBe(1)
    expect(calls).toBe(3)
  })

  test('an unknown index is refused', async () => {
    const { collections } = await openNotes()
    expect(Object.keys(definitions)).toEqual(Object.keys(collections))
    // @ts-expect-error a group is no unique index
    expect(() => collections.notes.find('tag', 'red')).toThrow('notes has no index "tag"')
    // @ts-expect-error readers have no unique index at all
    expect(() => collections.readers.find('city', 'Rome')).toThrow(TypeError)
  })
})
