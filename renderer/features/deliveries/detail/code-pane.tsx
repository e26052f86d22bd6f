import { useState } from 'react'
import type { DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import { Code } from '../../../ui/code.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { type Secrets, snippet, type SnippetLanguage } from '../model/snippets.ts'
import { words } from '../words.ts'

const languages = [
  { value: 'handler', label: 'TypeScript' },
  { value: 'test', label: 'Vitest' },
  { value: 'python', label: 'Python' },
  { value: 'curl', label: 'curl' },
] as const

/** Code that handles or repeats this delivery. */
export function CodePane({
  delivery,
  secrets,
}: {
  delivery: DeliveryItem
  secrets: Secrets | undefined
}) {
  const [language, setLanguage] = useState<SnippetLanguage>('handler')
  const text = snippet(language, delivery, secrets)
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Segments
          label={words.language}
          value={language}
          onChange={setLanguage}
          options={languages}
        />
        <CopyButton text={text} what="code" />
      </div>
      <Code label={words.codeFor} text={text} wrap={false} />
    </div>
  )
}
