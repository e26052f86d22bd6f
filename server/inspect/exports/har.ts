import { omitUndefined } from '../../core/omit-undefined.ts'
import { addressOf, queryPartOf } from '../../core/request-target.ts'
import { STATUS_CODES } from 'node:http'
import type { Har, RequestDetail } from '../../contract/control-requests.ts'

type HarEntry = Har['log']['entries'][number]

/** Writes requests as an HTTP Archive 1.2 with masked secrets, one by one. Unknown sizes are -1. */
export function* writeHar(
  requests: Iterable<RequestDetail>,
  baseUrl: string,
  version: string,
): Generator<string> {
  const creator = JSON.stringify({ name: 'hub-sandbox', version })
  yield `{"log":{"version":"1.2","creator":${creator},"entries":[`
  let separator = ''
  for (const request of requests) {
    yield separator + JSON.stringify(describeEntry(request, baseUrl))
    separator = ','
  }
  yield ']}}'
}

function describeEntry(item: RequestDetail, baseUrl: string): HarEntry {
  const { request, response, path, durationMs } = item
  const header = (message: typeof request, wanted: string) =>
    message.headers.find(([name]) => name?.toLowerCase() === wanted)?.[1] ?? ''
  return {
    startedDateTime: item.at,
    time: durationMs,
    request: {
      method: item.method,
      // An invalid URL is exported as it was sent.
      url: addressOf(path, baseUrl)?.href ?? path,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: request.headers.map(toPair),
      queryString: [...queryPartOf(path)].map(toPair),
      ...(request.body === undefined
        ? {}
        : { postData: { mimeType: header(request, 'content-type'), text: request.body } }),
      headersSize: -1,
      bodySize: request.size,
    },
    response: {
      status: item.status,
      statusText: STATUS_CODES[item.status] ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: response.headers.map(toPair),
      content: {
        size: response.size,
        mimeType: header(response, 'content-type'),
        ...omitUndefined({ text: response.body }),
      },
      redirectURL: header(response, 'location'),
      headersSize: -1,
      bodySize: response.size,
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...omitUndefined({ comment: item.detail }),
  }
}

function toPair([name = '', value = '']: readonly string[]): { name: string; value: string } {
  return { name, value }
}
