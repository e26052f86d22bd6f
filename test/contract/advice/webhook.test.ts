import { expect } from 'vitest'
import type { Attempt } from '../../../server/store/entities/webhook-entities.ts'
import { adviceWorld, warning, note, error, receive, webhookSecret } from '../../helpers/advice.ts'

const { world, call, hub, createWebhook, trigger, deliver, replay, testRule } = adviceWorld()

const statuses = (...list: number[]) => {
  let count = 0
  return receive((_request, response) => {
    response.writeHead(list[count++] ?? list.at(-1) ?? 200).end()
  })
}

/** A receiver that accepts a delivery and its repetition. */
async function accept(): Promise<void> {
  await replay(await deliver(await statuses(200)))
}

const silent = { 'a receiver that accepts everything': accept }

testRule('webhook/no-secret', {
  reports: {
    'a webhook without a secret': warning(async () => deliver(await statuses(200), {})),
    'an empty secret in the URL': warning(async () =>
      deliver(`${await statuses(200)}?secret=`, {}),
    ),
  },
  silent,
  guards: {
    'the webhook is temporary': async () => deliver(await statuses(200), { temporary: true }),
    'the secret is in the URL': [
      async () => {
        for (const name of ['secret', 'token']) {
          await deliver(`${await statuses(200)}?${name}=in-the-url`, {})
        }
      },
      ['note webhook/secret-in-url', 'note webhook/secret-in-url'],
    ],
  },
})

testRule('webhook/secret-in-url', {
  reports: {
    'a secret as a parameter': note(async () => deliver(`${await statuses(200)}?token=in-the-url`)),
  },
  silent,
  guards: {
    'the parameter is no secret': async () => deliver(`${await statuses(200)}?tenant=acme`),
  },
})

testRule('webhook/echoes-secret', {
  reports: {
    'headers of the request in the response': error(async () =>
      deliver(await receive((request, response) => response.end(JSON.stringify(request.headers)))),
    ),
  },
  silent,
  guards: {
    'the secret is so short that it is there by chance': async () =>
      deliver(await receive((_request, response) => response.end('accepted')), { secret: 'a' }),
    'the secret is a common word': async () =>
      deliver(
        await receive((_request, response) => response.end('{"webhook":"the secret is right"}')),
        { secret: 'secret' },
      ),
  },
})

testRule('webhook/redirects', {
  reports: {
    'a redirect': error(async () =>
      deliver(
        await receive((_request, response) => response.writeHead(308, { location: '/' }).end()),
      ),
    ),
  },
  silent,
  guards: {
    'the response has no Location': async () => deliver(await statuses(304)),
  },
})

/** Changes attempts of a delivery in order, such as by a duration that is too long to wait for. */
async function deliverWith(...changes: Partial<Attempt>[]): Promise<void> {
  const id = await deliver(await statuses(200))
  for (let count = 1; count < changes.length; count++) await replay(id)
  const { attempts } = world.sandbox.deps.state
  for (const [index, change] of changes.entries()) {
    const attempt = attempts.get(`${id}/${index + 1}`)
    if (attempt === undefined) throw new Error('there is no such attempt')
    attempts.put({ ...attempt, ...change })
  }
}

const takes = (...seconds: number[]) =>
  deliverWith(...seconds.map((second) => ({ durationMs: second * 1000 })))

testRule('webhook/slow', {
  reports: {
    'two slow responses': warning(() => takes(5.1, 1, 6)),
    'one of a receiver that has run before': warning(() => takes(1, 6, 1)),
  },
  silent: { 'responses within 5 seconds': () => takes(4, 4.9) },
  guards: {
    'the receiver has just started': () => takes(8, 1),
    'a fault rule delayed the requests': () => {
      const delayed = { durationMs: 8000, timings: { faultMs: 7900 } }
      return deliverWith({}, delayed, delayed)
    },
  },
})

const repeated =
  (...list: number[]) =>
  async () => {
    await replay(await deliver(await statuses(...list)))
  }

testRule('webhook/refuses-duplicate', {
  reports: {
    'a repetition that is refused': error(repeated(200, 409)),
    'a repetition after a timeout, while others are accepted': error(async () => {
      await createWebhook(await statuses(200))
      await timeOutThenRefuse(await trigger())
      await trigger()
    }),
  },
  silent,
  guards: {
    'no other delivery shows that the receiver works': async () =>
      timeOutThenRefuse(await deliver(await statuses(200))),
    'the replay has an edited payload': async () => {
      const id = await deliver(await statuses(200, 422))
      const { status } = await call('POST', `deliveries/${id}/replay`, { payload: { a: 1 } })
      if (status >= 300) throw new Error('the replay was refused')
      await call('GET', 'idle')
    },
    'the secret has changed': repeated(200, 401),
    'the receiver has failed': repeated(200, 500),
    'the receiver limits requests': repeated(200, 429),
    'the path of the receiver has changed': repeated(200, 404),
  },
})

/** Turns the attempts of a delivery into one without a response in time and a refusal. */
async function timeOutThenRefuse(id: string): Promise<void> {
  await replay(id)
  const { attempts } = world.sandbox.deps.state
  const [first, second] = attempts.group('delivery', id)
  if (first === undefined || second === undefined) throw new Error('there are no two attempts')
  const { status: _status, response: _response, ...rest } = first
  const error = { class: 'timeout' as const, message: 'no response' }
  attempts.put({ ...rest, outcome: 'failed', error })
  attempts.put({ ...second, outcome: 'failed', status: 409 })
}

/** A receiver that answers comments with one status and everything else with another. */
async function events(comments: number, others: number): Promise<string> {
  const url = await receive((_request, response, body) => {
    const { event } = JSON.parse(body) as { event: { scope: string } }
    response.writeHead(event.scope.startsWith('discussion') ? comments : others).end()
  })
  const id = await createWebhook(url)
  await trigger('repo.content')
  for (let times = 0; times < 2; times++) await trigger('discussion.create')
  return id
}

testRule('webhook/refuses-events', {
  reports: {
    'an event that is refused each time': note(() => events(422, 200)),
    'the same, while another delivery is held': note(async () => {
      const id = await events(422, 200)
      const { status } = await call('PATCH', `webhooks/${id}`, { held: true })
      if (status !== 200) throw new Error('the webhook is not held')
      await call('POST', 'events', { event: 'discussion.create', repo: 'acme/corpus' })
    }),
  },
  silent: { 'a receiver that accepts all': () => events(200, 200) },
  guards: {
    'the receiver refuses everything': () => events(422, 422),
    'the receiver fails': () => events(500, 200),
  },
})

/** A receiver that opens a discussion for each attempt that it accepts. */
async function writeAfterEach(title: (count: number) => string): Promise<void> {
  let count = 0
  const url = await receive((_request, response) => response.end())
  const write = async () => {
    const { status } = await hub('POST', '/api/datasets/acme/corpus/discussions', {
      json: { title: title(++count), description: 'Looks good.' },
      headers: { authorization: 'Bearer hf_sandbox_alice' },
    })
    expect(status).toBeLessThan(300)
  }
  const id = await deliver(url, { secret: webhookSecret, domains: ['repo'] })
  await write()
  await replay(id)
  await write()
}

testRule('webhook/acts-twice', {
  reports: {
    'the same write after each attempt': warning(() => writeAfterEach(() => 'Welcome')),
  },
  silent: {
    'writes that differ': () => writeAfterEach((count) => `Report ${count}`),
  },
  guards: {
    'both writes came after the last attempt': async () => {
      await accept()
      for (let times = 0; times < 2; times++) {
        await hub('POST', '/api/datasets/acme/corpus/discussions', {
          json: { title: 'Welcome', description: 'Looks good.' },
          headers: { authorization: 'Bearer hf_sandbox_alice' },
        })
      }
    },
  },
})

/** A receiver that changes the repo for each event of it, some times. */
async function changeRepo(rounds: number): Promise<void> {
  let round = 0
  const change = () =>
    hub('POST', '/api/datasets/acme/corpus/discussions', {
      json: { title: `Round ${round}`, description: 'Looks good.' },
      headers: { authorization: 'Bearer hf_sandbox_alice' },
    })
  const url = await receive((_request, response) => {
    const done = round++ < rounds ? change() : Promise.resolve()
    void done.then(() => response.end())
  })
  await deliver(url, { secret: webhookSecret, actsAs: 'alice' })
  await call('GET', 'idle')
}

testRule('webhook/feeds-itself', {
  reports: {
    'three rounds of a webhook through itself': warning(() => changeRepo(3)),
  },
  silent: { 'one round': () => changeRepo(1) },
})
