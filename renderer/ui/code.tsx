import { Fragment, useMemo } from 'react'
import { classNames } from '../lib/class-names.ts'
import { visibleControls } from '../lib/visible-controls.ts'

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Colours JSON text as it stands; nothing is parsed, so broken JSON is shown as well. */
function highlight(text: string) {
  const parts = []
  let end = 0
  for (const match of text.matchAll(token)) {
    if (match.index > end) parts.push(text.slice(end, match.index))
    const [whole, string, colon, word] = match
    const tone = string ? (colon ? 'text-accent' : 'text-ok') : word ? 'text-accent' : 'text-warn'
    parts.push(
      <Fragment key={match.index}>
        <span className={tone}>{string ?? whole}</span>
        {colon}
      </Fragment>,
    )
    end = match.index + whole.length
  }
  parts.push(text.slice(end))
  return parts
}

/** Colouring larger texts costs more than it tells. */
const highlightLimit = 64 * 1024

export function Code({
  text,
  json = false,
  label,
  wrap = true,
}: {
  text: string
  json?: boolean
  label: string
  wrap?: boolean
}) {
  const content = useMemo(() => {
    const shown = visibleControls(text)
    return json && shown.length <= highlightLimit ? highlight(shown) : shown
  }, [text, json])
  return (
    <pre
      // A region that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={label}
      className={classNames(
        'scroll-quiet max-h-[60vh] overflow-auto rounded-lg border border-line bg-sunken p-3 font-mono text-xs leading-5',
        wrap ? 'break-words whitespace-pre-wrap' : 'whitespace-pre',
      )}
    >
      {content}
    </pre>
  )
}
