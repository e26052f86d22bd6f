import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { serve } from './json-receiver.ts'

export interface AppRequest {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

/** Starts an app for a frame, until the test ends. */
export async function startApp(
  respond: http.RequestListener,
): Promise<{ url: string; server: http.Server }> {
  const server = http.createServer(respond)
  return { url: await serve(server), server }
}

/** Starts an app that answers with the request that it got. */
export function startEcho(): Promise<{ url: string; server: http.Server }> {
  return startApp((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { method, url, headers } = request
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ method, url, headers, body } satisfies AppRequest))
    })
  })
}

/** Headers of a browser that loads a document into a frame of another site. */
export const framed = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'iframe',
  'sec-fetch-storage-access': 'none',
}

/** Headers of a browser whose user opens a document. */
export const opened = {
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

export interface PlainResponse {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

/** Sends a request with exactly these headers, as `fetch` does not. */
export function sendPlain(
  url: string,
  headers: OutgoingHttpHeaders = {},
  { method = 'GET', body }: { method?: string; body?: string } = {},
): Promise<PlainResponse> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      )
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}
