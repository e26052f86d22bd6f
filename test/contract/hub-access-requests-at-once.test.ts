import { afterEach, expect, test, vi } from 'vitest'
import type * as ReadCard from '../../server/hub/http/read-card.ts'
import { testApp } from '../helpers/app.ts'

vi.hoisted(() => vi.resetModules())
/** Happens while the first caller waits until YAML is loaded. */
let meanwhile: (() => Promise<unknown>) | undefined
// Later files of this process have the module, too.
vi.mock('../../server/hub/http/read-card.ts', async (ofServer) => {
  const real = await ofServer<typeof ReadCard>()
  const cardReader = async () => {
    await meanwhile?.()
    return real.cardReader()
  }
  return { ...real, cardReader }
})
afterEach(() => {
  meanwhile = undefined
})

const world = testApp()
const { as } = world
const ask = () => as('carol').post('/acme/gated/ask-access', {})

test('a change during a request for access is kept', async () => {
  const repo = world.makeRepo('acme/gated', { gated: 'manual' })
  meanwhile = () => as('alice').post('/api/models/acme/gated/like')
  expect((await ask()).status).toBe(303)
  expect(world.latest(repo)).toMatchObject({
    likes: 1,
    accessRequests: [{ userId: world.users.carol.id, status: 'pending' }],
  })
})

test('a repo that is deleted during a request for access stays deleted', async () => {
  world.makeRepo('acme/gated', { gated: 'manual' })
  const name = { name: 'gated', organization: 'acme' }
  meanwhile = () => as('alice').delete('/api/repos/delete', name)
  expect((await ask()).status).toBe(404)
  expect(world.state.repos.find('name', 'model/acme/gated')).toBeUndefined()
})
