import { join } from 'node:path'
import type { Child } from '../children.ts'
import { amount, rounds } from '../effort.ts'
import { userToken } from '../fixtures.ts'
import { git, gitUrl } from '../git.ts'
import { compare, drive, rateResult } from '../load.ts'
import { inBothOrders, type Pair, timed, timeResult } from '../pairs.ts'
import { jsonOf, same } from '../requests.ts'
import type { Result, Row } from '../row.ts'
import {
  type FixedRequest,
  startSandbox,
  whileRunning,
  withFolder,
  withProgram,
  withSandbox,
} from '../sandbox.ts'

const headers = [`Authorization: Bearer ${userToken}`]
const api = '/api/datasets/acme/corpus'
/** Merges in a round. */
const merges = 8

const chat: FixedRequest = {
  method: 'POST',
  path: '/v1/chat/completions',
  headers,
  json: {
    model: 'acme/chat',
    stream: true,
    messages: [
      { role: 'user', content: 'How do I load a dataset of which each file is large? '.repeat(5) },
    ],
  },
}

/** Lists of discussions and streams of chats, beside a program that only sends the same responses. */
export const responsesRow: Row = {
  name: 'responses',
  measure: () =>
    withSandbox(async (sandbox) => {
      const discussions = amount(1000)
      await drive(sandbox.url, same(newDiscussion), discussions, 4)
      const list: FixedRequest = { path: `${api}/discussions?status=open`, headers }
      const events = await eventsOf(sandbox)
      return withProgram(
        'bare-responses',
        { list: await jsonOf(sandbox, list), events },
        async (bare) => {
          const lists = await compare(
            { server: sandbox, load: same(list) },
            { server: bare, load: same({ path: '/list' }) },
          )
          const streams = await compare(
            { server: sandbox, load: same(chat) },
            { server: bare, load: same({ ...chat, path: '/stream' }) },
          )
          // By CPU time, which depends less on what else the machine does.
          return [
            rateResult(`a page of ${discussions.toLocaleString('en')} discussions`, lists, {
              goal: { atLeast: 0.2 },
              byCpu: true,
            }),
            rateResult('stream of a chat completion', streams, {
              goal: { atLeast: 0.4 },
              byCpu: true,
            }),
          ]
        },
      )
    }),
}

const newDiscussion: FixedRequest = {
  method: 'POST',
  path: `${api}/discussions`,
  headers,
  json: { title: 'How do I load it?', description: 'It is large, and I have little memory.' },
}

async function eventsOf({ url }: Child): Promise<string[]> {
  const response = await fetch(url + chat.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${userToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(chat.json),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${chat.path}: ${response.status} ${text}`)
  return text.split(/(?<=\n\n)/)
}

/** Merges of pull requests whose target has moved, beside git's own commands on a copy of the repo. */
export const mergeRow: Row = { name: 'merge', measure: () => withFolder(measureMerges) }

async function measureMerges(folder: string): Promise<Result[]> {
  return whileRunning(await startSandbox(join(folder, 'data')), async (sandbox) => {
    const count = rounds(9) + 1
    await openPullRequests(sandbox, count * merges)
    const repo = join(folder, 'copy.git')
    await git(folder, 'clone', '-q', '--mirror', gitUrl(sandbox), repo)
    return withProgram('bare-merge', { repo }, async (bare) => {
      const pairs: Pair[] = []
      for (let round = 0; round < count; round++) {
        const first = round * merges + 1
        const pair = await inBothOrders(round, {
          ours: () =>
            timed(() => merge(sandbox, first, (num) => `${api}/discussions/${num}/merge`)),
          baseline: () => timed(() => merge(bare, first, (num) => `/merge/${num}`)),
        })
        // The first round is a warm-up.
        if (round > 0) pairs.push(pair)
      }
      return [timeResult(`${merges} merges of pull requests`, pairs, { atMost: 1 })]
    })
  })
}

async function openPullRequests(sandbox: Child, count: number): Promise<void> {
  for (let num = 1; num <= count; num++) {
    await jsonOf(sandbox, {
      method: 'POST',
      path: `${api}/commit/main?create_pr=1`,
      headers,
      json: { summary: `Add ${num}`, files: [{ path: `data/${num}.txt`, content: `${num}\n` }] },
    })
  }
}

async function merge(server: Child, first: number, pathOf: (num: number) => string): Promise<void> {
  for (let num = first; num < first + merges; num++) {
    await jsonOf(server, { method: 'POST', path: pathOf(num), headers, json: {} })
  }
}
