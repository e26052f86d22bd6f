import { beforeAll, beforeEach, expect, test } from 'vitest'
import { RequestList } from '../../server/contract/control-requests.ts'
import type { AnyEntry } from '../../server/hub/events/bus.ts'
import { controlWorld } from '../helpers/control.ts'
import { playFlows } from '../helpers/played-flows.ts'

const world = controlWorld()
const { hub, read } = world
const play = playFlows(world)

const errorsOf = async (query: string) =>
  (await read(RequestList, `requests?${query}`)).items.map(({ error }) => error).toReversed()

const events: AnyEntry[] = []
beforeAll(() => world.sandbox.deps.bus.onAny((entry) => events.push(entry)))
beforeEach(() => events.splice(0))

/** Errors in the activity that tell of failures. */
const failures = () =>
  events.flatMap(({ type, data }) => {
    if (type === 'token.refused') return [data.error]
    return type === 'request.completed' && data.expected !== true ? (data.error ?? []) : []
  })

test('polls of a device are steps of its flow and no failures (RFC 8628 §3.5)', async () => {
  const { userCode, poll } = await play.startDevice()
  await poll()
  await poll()
  await play.answerDevice(userCode)
  await poll()
  expect(await errorsOf('text=oauth/token')).toEqual([
    'authorization_pending',
    'slow_down',
    undefined,
  ])
  expect(await errorsOf('refused=1')).toEqual([])
  expect(await errorsOf('filter=is:refused')).toEqual([])
  expect(failures()).toEqual([])
})

test('the challenge that git waits for is no failure, wrong credentials are one', async () => {
  const path = '/datasets/acme/private/info/refs?service=git-upload-pack'
  expect((await hub('GET', path)).status).toBe(401)
  expect(await errorsOf('refused=1')).toEqual([])
  expect(failures()).toEqual([])

  const wrong = `Basic ${Buffer.from('alice:hf_wrong').toString('base64')}`
  expect((await hub('GET', path, { headers: { authorization: wrong } })).status).toBe(401)
  expect(await errorsOf('refused=1')).toHaveLength(1)
  expect(failures()).toHaveLength(1)
})

test('an API request without its token stays a failure', async () => {
  expect((await hub('GET', '/api/whoami-v2')).status).toBe(401)
  expect(await errorsOf('refused=1')).toHaveLength(1)
})
