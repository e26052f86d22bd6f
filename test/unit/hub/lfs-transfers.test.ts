import { createHash } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { partBytes } from '../../../server/hub/uploads/lfs-batch.ts'
import { createLfsTransfers } from '../../../server/hub/uploads/lfs-transfers.ts'
import { createHubWorld } from './hub-world.ts'

const bytes = Buffer.alloc(partBytes + 5, 'in parts ')
const content = { oid: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
const parts = [bytes.subarray(0, partBytes), bytes.subarray(partBytes)] as const

let upload: Awaited<ReturnType<typeof begin>>
beforeEach(async () => {
  upload = await begin()
})

/** An upload of the content in parts, by one URL. */
async function begin() {
  const world = await createHubWorld()
  const transfers = createLfsTransfers(world.deps)
  const permission = { purpose: 'upload' as const, repoId: world.repo('acme/corpus').id, content }
  const query = transfers.grant(permission)
  const send = (part: 1 | 2, body: AsyncIterable<Uint8Array> = Readable.from([parts[part - 1]!])) =>
    transfers.takePart(permission, { ...query, part }, body)
  const complete = (...etags: string[]) =>
    transfers.complete(
      permission,
      query,
      etags.map((etag, index) => ({ partNumber: index + 1, etag })),
    )
  return { send, complete }
}

describe('an upload in parts', () => {
  test('cannot be completed while a part is still being received', async () => {
    const { send, complete } = upload
    const slow = new PassThrough()
    const receiving = send(1, slow)
    const tags = [await send(1), await send(2)]
    await expect(complete(...tags)).rejects.toMatchObject({ code: 'conflict' })
    slow.end(parts[0])
    await receiving
    await expect(complete(await send(1), tags[1]!)).resolves.toBeUndefined()
  })

  test('can begin anew after its content was refused', async () => {
    const { send, complete } = upload
    const wrong = [await send(1), await send(2, Readable.from([Buffer.from('wrong')]))]
    await expect(complete(...wrong)).rejects.toMatchObject({ code: 'invalid' })
    await expect(complete(await send(1), await send(2))).resolves.toBeUndefined()
  })
})
