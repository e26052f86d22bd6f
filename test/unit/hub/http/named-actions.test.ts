import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { requireNamedActions } from '../../../../server/hub/http/named-actions.ts'

async function register(add: (app: ReturnType<typeof fastify>) => void): Promise<void> {
  const app = fastify()
  requireNamedActions(app)
  // As in the hub's API, routes are in plugins of their own.
  await app.register(async (plugin) => add(plugin as typeof app))
  await app.ready()
}

test('a route without an action of the access table is refused', async () => {
  const add = register((app) => void app.get('/api/secret', () => 'bytes'))
  await expect(add).rejects.toThrow('GET /api/secret names no action of the access table')
})

test('a route that changes something is refused with an action of readers', async () => {
  const config = { repoAction: 'repo.read' as const }
  const add = register((app) => void app.delete('/api/secret', { config }, () => 'gone'))
  await expect(add).rejects.toThrow('DELETE /api/secret names only actions of readers')
})

test('a route that names its action is registered', async () => {
  const reads = { config: { repoAction: 'repo.read' as const } }
  const changes = { config: { actions: ['collection.write'] as const } }
  const add = register((app) => {
    app.get('/api/one', reads, () => '')
    app.delete('/api/two', changes, () => '')
    app.post('/api/three', { config: { accountAction: 'account' } }, () => '')
  })
  await expect(add).resolves.toBeUndefined()
})
