import http from 'node:http'
import https from 'node:https'
import type { FetchedDocument } from '../oauth/metadata-document.ts'
import { lookupAmong, resolveTarget, type TargetPolicy } from '../webhooks/target.ts'

const maxBytes = 5 * 1024
const deadlineMs = 5000

/**
 * Fetches a small public document: no cookies, no credentials, no proxy, no redirect, to the very address that was
 * checked.
 * @throws {Error} whose message completes "it could not be fetched: …"
 */
export async function fetchDocument(url: URL, policy: TargetPolicy): Promise<FetchedDocument> {
  const addresses = await resolveTarget(url, policy)
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        agent: false,
        lookup: lookupAmong(addresses),
        headers: { Accept: 'application/json' },
        signal: AbortSignal.timeout(deadlineMs),
      },
      (response) => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > maxBytes) {
            // Destroying alone is not enough: the end of an answer that has arrived whole may still be told.
            reject(new Error(`it is larger than ${maxBytes / 1024} KB`))
            outgoing.destroy()
            return
          }
          chunks.push(chunk)
        })
        response.on('error', reject)
        response.on('end', () => {
          const maxAge = /(?:^|[\s,])max-age=(\d+)/.exec(
            response.headers['cache-control'] ?? '',
          )?.[1]
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            body: Buffer.concat(chunks).toString('utf8'),
            ...(maxAge === undefined ? {} : { maxAgeSeconds: Number(maxAge) }),
          })
        })
      },
    )
    outgoing.on('error', (error) => {
      const timedOut = error.name === 'AbortError' || error.name === 'TimeoutError'
      reject(timedOut ? new Error(`no answer within ${deadlineMs / 1000} s`) : error)
    })
    outgoing.end()
  })
}
