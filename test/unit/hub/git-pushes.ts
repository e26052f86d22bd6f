import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { Git } from '../../../server/hub/git/git.ts'
import { flushPacket, packetOf, PacketReader } from '../../../server/hub/git/pkt-line.ts'
import { gitRoutes } from '../../../server/hub/git/routes.ts'
import type { ServerDeps } from '../../../server/lab/server-deps.ts'
import type { Repo } from '../../../server/store/entities/hub-entities.ts'
import type { HubWorld } from './hub-world.ts'
import type { Push } from './repo-model.ts'

const noId = '0'.repeat(40)

/** A pusher who has every object in a repo of their own, and sends what git packs of them to the address for git. */
export class GitPushes {
  readonly #folder: string
  readonly #servers = new Map<HubWorld, { app: FastifyInstance; git: Git; token: string }>()

  /** @param folder that is not there yet */
  constructor(folder: string) {
    this.#folder = folder
    execFileSync('git', ['init', '-q', '--bare', folder])
  }

  /**
   * @param made objects, by their ids: all that the push may need
   * @returns of each command whether it was done
   */
  async push(
    world: HubWorld,
    { name, refs }: Repo,
    { commands, atomic }: Push,
    made: ReadonlyMap<string, Buffer>,
  ): Promise<boolean[]> {
    const { app, token } = this.#serverOf(world)
    this.#keep(made)
    const lines = commands.map(({ ref, oldId, newId }, index) =>
      packetOf(
        `${oldId ?? noId} ${newId ?? noId} ${ref}` +
          (index === 0 ? `\0report-status${atomic ? ' atomic' : ''}` : ''),
      ),
    )
    const wanted = commands.flatMap(({ newId }) => newId ?? [])
    const pack = wanted.length === 0 ? Buffer.of() : this.#pack(wanted, Object.values(refs))
    const { statusCode, rawPayload } = await app.inject({
      method: 'POST',
      url: `/${name}/git-receive-pack`,
      headers: {
        authorization: `Basic ${Buffer.from(`alice:${token}`).toString('base64')}`,
        'content-type': 'application/x-git-receive-pack-request',
      },
      payload: Buffer.concat([...lines, flushPacket, pack]),
    })
    assert.equal(statusCode, 200, rawPayload.toString())
    const [unpacked, ...results] = await reportOf(rawPayload)
    assert.equal(unpacked, 'unpack ok')
    return results.map((line) => line.startsWith('ok '))
  }

  async close(): Promise<void> {
    for (const { app, git } of this.#servers.values()) {
      await app.close()
      await git.close()
    }
    this.#servers.clear()
  }

  #serverOf(world: HubWorld) {
    const known = this.#servers.get(world)
    if (known !== undefined) return known
    const git = new Git(world.deps)
    const app = fastify()
    // The rest of a server is for other routes.
    app.register(gitRoutes, { deps: { ...world.deps, git } as unknown as ServerDeps })
    const { token } = world.token(world.users.alice, { role: 'write' })
    const server = { app, git, token }
    this.#servers.set(world, server)
    return server
  }

  #keep(made: ReadonlyMap<string, Buffer>): void {
    for (const [id, bytes] of made) {
      const file = join(this.#folder, 'objects', id.slice(0, 2), id.slice(2))
      if (existsSync(file)) continue
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, deflateSync(bytes))
    }
  }

  /** Packs objects as `git push` does, with deltas against objects of the other side. */
  #pack(wanted: readonly string[], present: readonly string[]): Buffer {
    const input = [...wanted, ...present.map((id) => `^${id}`), ''].join('\n')
    const flags = ['--revs', '--thin', '--delta-base-offset', '--stdout', '-q']
    return execFileSync('git', ['-C', this.#folder, 'pack-objects', ...flags], {
      input,
      stdio: 'pipe',
    })
  }
}

async function reportOf(answer: Buffer): Promise<string[]> {
  const reader = new PacketReader(
    (async function* () {
      yield answer
    })(),
  )
  const lines: string[] = []
  for (let packet; (packet = await reader.next()) !== undefined;) {
    if (typeof packet !== 'string') lines.push(packet.toString().trimEnd())
  }
  return lines
}
