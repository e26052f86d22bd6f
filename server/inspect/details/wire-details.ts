import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { FlowStepDetail } from '../../contract/control-flows.ts'
import { commandText } from '../../core/shell-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { bodyText } from '../log/body-text.ts'
import type { DocumentFetch } from '../flows/document-fetches.ts'
import { formOf } from '../drawing/exchanges.ts'
import type { RecordedMessage, RequestRecord } from '../log/request-log.ts'
import type { SecretReveal } from './reveal.ts'

type HeaderPairs = NonNullable<FlowStepDetail['request']>['headers']

/** Request as it was sent, or nearly so. */
export function rawRequest(record: RequestRecord, reveal: SecretReveal): FlowStepDetail['request'] {
  const { method, url, request } = record
  return { line: `${method} ${reveal.text(url)}`, ...message(request, reveal) }
}

export function rawResponse(record: RequestRecord, reveal: SecretReveal): FlowStepDetail['answer'] {
  return { status: record.status, ...message(record.response, reveal) }
}

function message(
  { headers, body, truncated }: RecordedMessage<IncomingHttpHeaders | OutgoingHttpHeaders>,
  reveal: SecretReveal,
) {
  const text = bodyText(body)
  return {
    headers: pairs(headers, reveal),
    ...(text === undefined || text === '' ? {} : { body: reveal.text(text) }),
    truncated,
  }
}

function pairs(
  headers: IncomingHttpHeaders | OutgoingHttpHeaders,
  reveal: SecretReveal,
): HeaderPairs {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((text): [string, string] => {
      const shown = reveal.header(name, String(text))
      // The URL contains the secrets of its parameters, which may be unmasked.
      return [name, name === 'location' || name === 'referer' ? reveal.text(String(text)) : shown]
    }),
  )
}

/** Request of the sandbox for the metadata document of an app, which is public: nothing is masked. */
export function rawDocument({
  url,
  status,
  contentType,
  body,
}: DocumentFetch): Pick<FlowStepDetail, 'request' | 'answer'> {
  const request = { line: `GET ${url}`, headers: [], truncated: false }
  if (status === undefined) return { request }
  return {
    request,
    answer: {
      status,
      headers: contentType === undefined ? [] : [['content-type', contentType]],
      truncated: false,
      ...omitUndefined({ body }),
    },
  }
}

/** Headers that the hub reads; clients create the others themselves. */
const copiedHeaders = new Set(['accept', 'authorization', 'content-type', 'cookie', 'origin'])

/** Renders a request as a curl command. Masked values stay masked. */
export function copiesOf(
  record: RequestRecord,
  baseUrl: string,
  reveal: SecretReveal,
): NonNullable<FlowStepDetail['copies']> {
  const url = new URL(reveal.text(record.url), baseUrl).href
  const headers = pairs(record.request.headers, reveal).filter(([name]) => copiedHeaders.has(name))
  const text = bodyText(record.request.body)
  const body = text === undefined || text === '' ? undefined : reveal.text(text)
  const { method } = record
  return {
    curl: shell([
      // Brackets and braces of the URL are not patterns for curl.
      'curl',
      '--globoff',
      '--include',
      ...(method === (body === undefined ? 'GET' : 'POST') ? [] : ['--request', method]),
      url,
      ...headers.flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
      ...(body === undefined ? [] : ['--data-raw', body]),
    ]),
    httpie: shell([
      'http',
      '--ignore-stdin',
      method,
      url,
      // After a blank, curl does not read a value as the name of a file.
      ...headers.map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : ['--raw', body]),
    ]),
    json: JSON.stringify(
      { method, url, headers: Object.fromEntries(headers), ...bodyMember(record, body, reveal) },
      undefined,
      2,
    ),
  }
}

function bodyMember(record: RequestRecord, body: string | undefined, reveal: SecretReveal) {
  if (body === undefined) return {}
  const form = [...formOf(record)].map(([name, value]) => [name, reveal.show(name, value).value])
  return form.length > 0 ? { form: Object.fromEntries(form) as unknown } : { body }
}

/** Quotes for the shells of Linux and macOS, even on Windows: the page may be read on another machine. */
function shell(words: readonly string[]): string {
  return commandText(words, 'linux')
}
