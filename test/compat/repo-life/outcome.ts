import { startSandbox, type Sandbox } from '../../../server/index.ts'

const headers = { authorization: 'Bearer hf_sandbox_alice' }

/** A sandbox whose time stands still, so that equal commits have equal ids whoever makes them, and who listens. */
export async function openWorld(): Promise<Sandbox> {
  const sandbox = await startSandbox({ seed: 7 })
  await sandbox.clock.freeze()
  await sandbox.clock.set('2026-01-15T12:00:00Z')
  const webhook = {
    user: 'alice',
    // On hold: it keeps what it would be sent.
    url: 'http://localhost:9/',
    watched: [{ type: 'user', name: 'alice' }],
    held: true,
  }
  const made = await fetch(`${sandbox.url}/_sandbox/api/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(webhook),
  })
  if (!made.ok) throw new Error(await made.text())
  return sandbox
}

async function ask<T>({ url }: Sandbox, path: string): Promise<T> {
  const answer = await fetch(url + path, { headers })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** The repo as it is after its life, without a client. */
export async function outcomeOf(sandbox: Sandbox) {
  const repo = '/api/models/alice/moved'
  const commitsOf = (revision: string) =>
    ask<{ id: string; title: string }[]>(sandbox, `${repo}/commits/${encodeURIComponent(revision)}`)
  return {
    tree: await ask<object[]>(sandbox, `${repo}/tree/main?recursive=true`),
    refs: await ask<object>(sandbox, `${repo}/refs?include_prs=1`),
    main: await commitsOf('main'),
    dev: await commitsOf('dev'),
    proposal: await commitsOf('refs/pr/1'),
  }
}

interface Payload {
  event: { action: string; scope: string }
  repo: { name: string }
  updatedRefs?: object[]
  movedTo?: { name: string }
  discussion?: { num: number; status: string }
}

/** Events in order. */
export async function eventsOf(sandbox: Sandbox) {
  const { items } = await ask<{ items: { payload: Payload }[] }>(
    sandbox,
    '/_sandbox/api/deliveries?limit=200',
  )
  return items
    .toReversed()
    .map(({ payload: { event, repo, updatedRefs, movedTo, discussion } }) => ({
      what: `${event.scope} ${event.action}`,
      repo: repo.name,
      ...(updatedRefs && { updatedRefs }),
      ...(movedTo && { movedTo: movedTo.name }),
      ...(discussion && { discussion: [discussion.num, discussion.status] }),
    }))
}

/** Merges what was proposed. */
export async function mergeProposal(sandbox: Sandbox): Promise<void> {
  await sandbox.trigger({ event: 'discussion.update', kind: 'merge', repo: 'alice/life' })
}
