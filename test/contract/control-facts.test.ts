import { expect, test } from 'vitest'
import { FactList } from '../../server/contract/control-facts.ts'
import { controlWorld, expectInvalid } from '../helpers/control.ts'

const { call, hub, read } = controlWorld()

const facts = (filter = '') => read(FactList, `facts${filter}`)

const types = ({ items }: FactList) => items.map(({ type }) => type)

test('facts since the reset are listed newest first, with failed requests', async () => {
  await call('POST', 'snapshots', { name: 'one' })
  await hub('GET', '/api/whoami-v2', { token: 'hf_sandbox_alice' })
  await hub('GET', '/api/whoami-v2', { token: 'hf_nobody' })
  await call('POST', 'faults', { match: {}, status: 503 })
  await call('DELETE', 'snapshots/one')
  expect(types(await facts())).toEqual([
    'snapshot.deleted',
    'fault.added',
    'request.completed',
    'snapshot.kept',
    'sandbox.reset',
  ])
})

test('facts are filtered by kind and by sandbox time', async () => {
  await call('POST', 'faults', { match: {}, status: 503, times: 1 })
  await call('POST', 'clock', { set: '2030-01-01T00:00:00.000Z' })
  await call('POST', 'sessions', { user: 'alice' })
  expect(types(await facts('?kind=faults'))).toEqual(['fault.added'])
  expect(types(await facts('?kind=sign-ins'))).toEqual(['session.started'])
  expect(types(await facts('?since=2029-12-31T00:00:00.000Z'))).toEqual([
    'session.started',
    'clock.changed',
  ])
})

test('the list says from when on it has all facts', async () => {
  const { kept: first } = await facts()
  expect(first).toEqual({ since: expect.stringMatching(/Z$/), dropped: 0 })
  await call('POST', 'clock', { set: '2030-01-01T00:00:00.000Z' })
  // Each fault is a fact, and so is its removal.
  for (let count = 0; count < 2600; count++) {
    const { body } = await call<{ id: string }>('POST', 'faults', { match: {}, status: 503 })
    await call('DELETE', `faults/${body.id}`)
  }
  const { kept, items } = await facts('?kind=jobs')
  expect(items).toEqual([])
  expect(kept).toEqual({ since: expect.stringMatching(/^2030-01-01T/), dropped: 202 })
  await call('POST', 'reset')
  expect((await facts()).kept.dropped).toBe(0)
})

test('facts have pages', async () => {
  await call('POST', 'sessions', { user: 'alice' })
  await call('POST', 'sessions', { user: 'bob' })
  const first = await facts('?limit=2')
  expect(types(first)).toEqual(['session.started', 'session.started'])
  const second = await facts(`?limit=2&cursor=${first.nextCursor}`)
  expect(types(second)).toEqual(['sandbox.reset'])
  expect(second.nextCursor).toBeUndefined()
})

test('an unknown kind is refused with the known ones', async () => {
  const answer = await call<{ message: string }>('GET', 'facts?kind=signins')
  expectInvalid(answer, ['kind'])
  expect(answer.body.message).toContain('sign-ins')
})
