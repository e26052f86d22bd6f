import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { createWebhooks } from '../../server/receiver/index.ts'
import { addressFor, cloneRepo, hasGit } from '../helpers/git-client.ts'

// Bots as their authors write them: a receiver of its own that calls the hub with the token of bob.

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await startSandbox()
})
afterEach(() => sandbox.close())

const dataset = 'datasets/acme/corpus'

async function call<T>(user: string, path: string, body: object): Promise<T> {
  const response = await fetch(`${sandbox.url}/api/${dataset}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer hf_sandbox_${user}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.ok).toBe(true)
  return (await response.json()) as T
}

const open = async (user: string) =>
  (await call<{ num: number }>(user, 'discussions', { title: 'A question', description: 'Help' }))
    .num
const say = (user: string, num: number, comment = 'text') =>
  call(user, `discussions/${num}/comment`, { comment })

interface Bot {
  /** Responds first, and comments afterwards. */
  defers: boolean
  /** Leaves its own comments alone. */
  ignoresItself: boolean
}

/** Starts a bot that answers each comment, and declares that it acts as bob. @returns the id of its webhook */
async function startBot({ defers, ignoresItself }: Bot) {
  const secret = 'secret of the bot'
  const webhooks = createWebhooks({ secret })
  webhooks.on('discussion.comment.create', async (payload, context) => {
    const { discussion, comment } = payload
    if (discussion === undefined || comment === undefined) return
    if (ignoresItself && comment.content?.startsWith('An answer') === true) return
    const answer = () => say('bob', discussion.num, `An answer to ${comment.id}`)
    if (defers) context.defer(answer)
    else await answer()
  })
  const listening = await webhooks.listen({ port: 0 })
  onTestFinished(() => listening.close())
  const { id } = await sandbox.control<{ id: string }>('POST', 'webhooks', {
    owner: 'alice',
    url: new URL('/webhooks/events', listening.url).href,
    secret,
    watched: [{ type: 'org', name: 'acme' }],
    actsAs: 'bob',
  })
  return {
    id,
    /** Waits until the bot has nothing left to do. */
    async rest() {
      for (let before = -1, now = 0; before !== now;) {
        before = now
        await sandbox.idle()
        await webhooks.idle()
        now = (await sandbox.deliveries({ webhookId: id })).length
      }
    },
    states: async () =>
      (await sandbox.deliveries({ webhookId: id, scope: 'discussion.comment' })).map(
        ({ state }) => state,
      ),
  }
}

describe('a bot that responds at once and comments afterwards', () => {
  test('is held at its fourth delivery in a row', async () => {
    const bot = await startBot({ defers: true, ignoresItself: false })
    const num = await open('carol')
    await bot.rest()
    await say('carol', num)
    await bot.rest()
    expect(await bot.states()).toEqual(['succeeded', 'succeeded', 'succeeded', 'held'])

    const [held] = await sandbox.deliveries({ state: 'held' })
    await sandbox.releaseDelivery(held?.id ?? '')
    await bot.rest()
    expect((await bot.states()).slice(3)).toEqual(['succeeded', 'held'])
  })

  test('answers forty comments of a moment, and none is held', async () => {
    const bot = await startBot({ defers: true, ignoresItself: true })
    const num = await open('carol')
    await Promise.all(Array.from({ length: 40 }, (_, count) => say('carol', num, `${count}`)))
    await bot.rest()
    const states = await bot.states()
    expect(states).toHaveLength(80)
    expect(new Set(states)).toEqual(new Set(['succeeded']))
  })
})

describe('a bot that comments before it responds', () => {
  test('is held at its fourth delivery in a row', async () => {
    const bot = await startBot({ defers: false, ignoresItself: false })
    await say('carol', await open('carol'))
    await bot.rest()
    expect(await bot.states()).toEqual(['succeeded', 'succeeded', 'succeeded', 'held'])
  })
})

test('forty commits by git and forty by the API are delivered, and none is held', async ({
  skip,
}) => {
  skip(!hasGit, 'git is not installed')
  const bot = await startBot({ defers: true, ignoresItself: true })
  const { git, folder } = await cloneRepo(addressFor('alice', sandbox.url, `/${dataset}`))
  for (let count = 0; count < 40; count++) {
    appendFileSync(join(folder, 'by-git.txt'), `${count}\n`)
    await git('add', '-A')
    await git('commit', '-qm', `Line ${count}`)
    await git('push', '-q', 'origin', 'HEAD:main')
    const file = { path: 'by-api.txt', content: `${count}` }
    await call('alice', 'commit/main', { summary: `Text ${count}`, files: [file] })
    await git('pull', '-q', '--rebase', 'origin', 'main')
  }
  await bot.rest()
  const deliveries = await sandbox.deliveries({ webhookId: bot.id, scope: 'repo.content' })
  expect(deliveries).toHaveLength(80)
  expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['succeeded']))
}, 120_000)
