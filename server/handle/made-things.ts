import type { ControlTransport } from './control-client.ts'

/** What a client makes that must not outlive it: the path of the list, and what ends one of its items. */
const ends = new Map<string, (id: string) => { method: string; path: string }>(
  Object.entries({
    forks: (id) => ({ method: 'DELETE', path: `forks/${id}` }),
    links: (id) => ({ method: 'DELETE', path: `links/${id}` }),
    webhooks: (id) => ({ method: 'DELETE', path: `webhooks/${id}` }),
    barriers: (id) => ({ method: 'POST', path: `barriers/${id}/release` }),
  }),
)

export interface MadeThings {
  /** The transport, watched. */
  readonly transport: ControlTransport
  /** Ends what was made and is still there, newest first; what is gone already is no mistake. */
  end(): Promise<void>
}

/** Notes what is made over a transport, whatever call makes it. */
export function noteMadeThings(send: ControlTransport): MadeThings {
  const made = new Map<string, { method: string; path: string }>()
  const root = '/_sandbox/api/'
  return {
    async transport(request) {
      const answer = await send(request)
      const [list = ''] = request.path.slice(root.length).split(/[/?]/)
      const { id } = answer.body as { id?: unknown }
      const { temporary } = (request.body ?? {}) as { temporary?: unknown }
      const isMade =
        request.method === 'POST' && request.path === root + list && answer.status < 300
      // A webhook that was made to stay stays.
      if (isMade && typeof id === 'string' && (list !== 'webhooks' || temporary === true)) {
        const end = ends.get(list)?.(encodeURIComponent(id))
        if (end !== undefined) made.set(`${end.method} ${root}${end.path}`, end)
      }
      if (answer.status < 300) made.delete(`${request.method} ${request.path}`)
      return answer
    },
    async end() {
      const all = [...made.values()].toReversed()
      made.clear()
      for (const { method, path } of all) {
        // The sandbox may be gone, or the thing: either way it is not there any more.
        await send({ method, path: root + path, headers: {} }).catch(() => undefined)
      }
    },
  }
}
