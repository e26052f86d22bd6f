import type { ControlTransport } from '../web/control-client.ts'

/** Resources that must not outlive their client: path of the list, and request that deletes an item. */
const ends = new Map<string, (id: string) => { method: string; path: string }>(
  Object.entries({
    forks: (id) => ({ method: 'DELETE', path: `forks/${id}` }),
    links: (id) => ({ method: 'DELETE', path: `links/${id}` }),
    'space-frames': (id) => ({ method: 'DELETE', path: `space-frames/${id}` }),
    webhooks: (id) => ({ method: 'DELETE', path: `webhooks/${id}` }),
    barriers: (id) => ({ method: 'POST', path: `barriers/${id}/release` }),
  }),
)

export interface MadeThings {
  /** Transport that records created resources. */
  readonly transport: ControlTransport
  /** Deletes the created resources, newest first; missing ones are ignored. */
  end(): Promise<void>
}

/** Records resources that are created over a transport. */
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
      // Permanent webhooks stay.
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
        // The sandbox or the resource may already be gone.
        await send({ method, path: root + path, headers: {} }).catch(() => undefined)
      }
    },
  }
}
