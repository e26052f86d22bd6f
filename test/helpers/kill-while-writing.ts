import type { KilledSandbox } from './killed-sandbox.ts'
import { untilWorked } from './until-worked.ts'

/** Changes that the sandbox has acknowledged. */
interface Acknowledged {
  tokens: Set<string>
  webhooks: Set<string>
  deliveries: Set<string>
  /** Content of the file with that number. */
  commits: Map<string, number>
}

export interface Losses {
  acknowledged: number
  /** Acknowledged changes that are missing. */
  lost: string[]
}

const writersOfEach = 3
/** So much is acknowledged before each kill, however busy the machine is. */
const leastOfEach = 17

const repo = 'repos/dataset/acme/corpus'

/**
 * Kills a sandbox at random moments while tokens, webhooks, deliveries and commits are made, and looks after each
 * restart for everything that was ever acknowledged.
 */
export async function killWhileWriting(sandbox: KilledSandbox, kills: number): Promise<Losses> {
  const acknowledged: Acknowledged = {
    tokens: new Set(),
    webhooks: new Set(),
    deliveries: new Set(),
    commits: new Map(),
  }
  const lost = new Set<string>()
  await sandbox.start()
  // Deliveries wait with it: what becomes of them is no matter here.
  await createWebhook(sandbox, { type: 'dataset', name: 'acme/corpus' }, true)

  let number = 0
  for (let kill = 0; kill < kills && lost.size === 0; kill++) {
    const writers = [
      writer(async () => {
        const { access_token: token } = await sandbox.call<{ access_token: string }>(
          'POST',
          'tokens',
          { user: 'alice', scope: 'openid' },
        )
        acknowledged.tokens.add(token)
      }),
      writer(async () => {
        acknowledged.webhooks.add(
          await createWebhook(sandbox, { type: 'user', name: 'alice' }, false),
        )
      }),
      writer(async () => {
        const { deliveries } = await sandbox.call<{ deliveries: { id: string }[] }>(
          'POST',
          'events',
          { event: 'repo.content', repo: 'datasets/acme/corpus' },
        )
        for (const { id } of deliveries) acknowledged.deliveries.add(id)
      }),
      writer(async () => {
        const file = ++number
        const { commit } = await sandbox.call<{ commit: { id: string } }>(
          'POST',
          `${repo}/commits`,
          { user: 'alice', title: 'Write', files: { [`files/${file}`]: `This is ${file}.` } },
        )
        acknowledged.commits.set(commit.id, file)
      }),
    ]
    const running = writers.flatMap((write) => Array.from({ length: writersOfEach }, write))
    await untilWorked(100 + Math.random() * 300, { count, least: leastOfEach, workers: running })
    await sandbox.kill()
    await Promise.all(running)
    await sandbox.start()
    await findLost(sandbox, acknowledged, lost)
  }
  await sandbox.kill()
  return { acknowledged: count(), lost: [...lost] }

  function count(): number {
    const { tokens, webhooks, deliveries, commits } = acknowledged
    return tokens.size + webhooks.size + deliveries.size + commits.size
  }

  /** Writes until the sandbox is gone; its last call is then without an answer, and counts for nothing. */
  function writer(write: () => Promise<void>): () => Promise<void> {
    return async () => {
      const { url } = sandbox
      for (;;) {
        try {
          await write()
        } catch (error) {
          if (error instanceof TypeError && sandbox.url === url) return
          throw error
        }
      }
    }
  }
}

async function createWebhook(
  sandbox: KilledSandbox,
  watched: { type: string; name: string },
  held: boolean,
): Promise<string> {
  const { id } = await sandbox.call<{ id: string }>('POST', 'webhooks', {
    user: 'alice',
    url: 'http://localhost:9/',
    watched: [watched],
    held,
  })
  return id
}

async function findLost(
  sandbox: KilledSandbox,
  acknowledged: Acknowledged,
  lost: Set<string>,
): Promise<void> {
  const tokens = await sandbox.list<{ token: string }>('tokens')
  const webhooks = await sandbox.list<{ id: string }>('webhooks')
  const deliveries = await sandbox.list<{ id: string }>('deliveries')
  note('token', acknowledged.tokens, new Set(tokens.map(({ token }) => token)))
  note('webhook', acknowledged.webhooks, new Set(webhooks.map(({ id }) => id)))
  note('delivery', acknowledged.deliveries, new Set(deliveries.map(({ id }) => id)))
  const commits = await wholeCommits(sandbox, acknowledged, lost)
  note('commit', new Set(acknowledged.commits.keys()), commits)

  function note(what: string, expected: Set<string>, found: Set<string>): void {
    for (const id of expected) if (!found.has(id)) lost.add(`${what} ${id}`)
  }
}

/** The acknowledged commits that are in the history and have their file; a history that breaks off is a loss itself. */
async function wholeCommits(
  sandbox: KilledSandbox,
  { commits }: Acknowledged,
  lost: Set<string>,
): Promise<Set<string>> {
  const whole = new Set<string>()
  try {
    for (const { id } of await sandbox.list<{ id: string }>(`${repo}/commits`)) {
      const number = commits.get(id)
      if (number === undefined) continue
      const { content } = await sandbox.call<{ content: string }>(
        'GET',
        `${repo}/file?path=files/${number}&revision=${id}`,
      )
      if (content === `This is ${number}.`) whole.add(id)
    }
  } catch (error) {
    // Something of it leads to nothing, acknowledged or not: what is behind that is lost, too.
    if (error instanceof TypeError) throw error
    lost.add(`commit history: ${String(error)}`)
  }
  return whole
}
