import { useState } from 'react'
import { Chip } from './badge.tsx'

/** Number of chips that fit beside other columns. */
const shown = 2

/** Words of the protocol, such as scopes; many of them fold. */
export function Chips({ words, what }: { words: readonly string[]; what: string }) {
  const [open, setOpen] = useState(false)
  const hidden = words.length - shown
  // To fold one would hide more than it saves.
  const folds = hidden > 1
  return (
    <span className="flex max-w-full min-w-0 flex-wrap items-center gap-1">
      {(folds && !open ? words.slice(0, shown) : words).map((word) => (
        <Chip key={word}>{word}</Chip>
      ))}
      {folds && (
        <button
          type="button"
          aria-expanded={open}
          className="rounded px-1 text-2xs text-accent hover:underline"
          onClick={(event) => {
            event.stopPropagation()
            setOpen(!open)
          }}
        >
          {open ? 'less' : `+${hidden}`}
          <span className="sr-only"> {what}</span>
        </button>
      )}
    </span>
  )
}
