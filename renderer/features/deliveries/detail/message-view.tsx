import { useState } from 'react'
import { JsonView } from '../../../shared/json-view.tsx'
import { Code } from '../../../ui/code.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { prettyJson } from '../../../lib/pretty-json.ts'
import { toHex } from '../model/hex.ts'
import type { Encoding } from '../../../../server/contract/words/hub-words.ts'
import { words } from '../words.ts'

type View = 'pretty' | 'raw' | 'headers' | 'hex'

const views = [
  { value: 'pretty', label: 'Pretty' },
  { value: 'raw', label: 'Raw' },
  { value: 'headers', label: 'Headers' },
  { value: 'hex', label: 'Hex' },
] as const

interface MessageViewProps {
  /** Names it to a screen reader: “Request”. */
  name: string
  headers: readonly (readonly [string, string])[]
  body: string
  encoding?: Encoding
}

/** Message in four views of the same bytes. */
export function MessageView({ name, headers, body, encoding = 'utf-8' }: MessageViewProps) {
  const [view, setView] = useState<View>('pretty')
  const json = prettyJson(body)
  return (
    <div className="flex flex-col gap-2">
      <Segments
        label={`View of the ${name.toLowerCase()}`}
        value={view}
        onChange={setView}
        options={views}
      />
      {view === 'headers' && (
        <Code
          label={words.headersOf(name)}
          text={headers.map(([key, value]) => `${key}: ${value}`).join('\n')}
        />
      )}
      {view === 'hex' && (
        <Code
          label={`${name} body, hexadecimal`}
          wrap={false}
          text={toHex(decode(body, encoding))}
        />
      )}
      {view === 'raw' && <Code label={words.bodyOf(name)} text={body || '(empty)'} />}
      {view === 'pretty' && (
        <>
          {json.error && (
            <p className="text-xs text-warn">
              Not JSON: {json.error}
              {json.line !== undefined && ` (line ${json.line}, column ${json.column ?? 0})`}
            </p>
          )}
          <JsonView label={words.bodyOf(name)} text={body || '(empty)'} />
        </>
      )}
    </div>
  )
}

function decode(body: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(body)
  return Uint8Array.from(atob(body), (character) => character.codePointAt(0) ?? 0)
}
