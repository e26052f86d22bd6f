import { aliceToken } from '../fixtures.ts'
import type { Act } from './client.ts'

const token = aliceToken

const reads: Act = async (client) => {
  await client.call('GET', '/api/agent-harnesses', { token })
  await client.call('GET', '/api/jobs/hardware', { token })
  await client.call('GET', '/api/settings/webhooks', { token })
  await client.call('GET', '/_sandbox/api/repos?limit=10')
  for (const page of ['/', '/alice', '/datasets/acme/corpus', '/avatars/alice.svg']) {
    await client.request('GET', page)
  }
}

/** A repo with everything that can be in it, from its creation to its end. */
const repoLife: Act = async (client) => {
  const name = `acme/${client.newName('repo')}`
  const path = `repos/dataset/${name}`
  const files = { 'README.md': `# ${name}`, 'data.csv': 'a,b\n'.repeat(50) }
  await client.control('POST', 'repos', { type: 'dataset', name, files })
  const change = { user: 'alice', files: { 'README.md': 'Changed' }, title: 'Change it' }
  await client.control('POST', `${path}/commits`, change)
  await client.control('POST', `${path}/commits`, { ...change, pullRequest: true })
  await client.control('POST', `${path}/refs`, { user: 'alice', kind: 'tag', name: 'v1' })
  const opened = await client.control<{ num: number }>('POST', `${path}/discussions`, {
    user: 'bob',
    title: 'A question',
    description: 'Why?',
  })
  const discussion = `${path}/discussions/${opened.num}`
  await client.control('POST', `${discussion}/comments`, { user: 'alice', content: 'Because.' })
  await client.control('PATCH', discussion, { user: 'alice', status: 'closed' })
  await client.control('GET', `${path}/commits`)
  await client.control('DELETE', `repos/datasets/${name}`)
}

const jobLife: Act = async (client) => {
  const json = { dockerImage: 'python:3.12', command: ['python', '-V'], flavor: 'cpu-basic' }
  const { id } = await client.call<{ id: string }>('POST', '/api/jobs/alice', { token, json })
  await client.call('GET', `/api/jobs/alice/${id}`, { token })
  await client.request('POST', `/api/jobs/alice/${id}/cancel`, { token })
  await client.call('GET', '/api/jobs/alice?limit=5', { token })
}

export const hubActs: Record<string, Act> = { reads, repoLife, jobLife }
