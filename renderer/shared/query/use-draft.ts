import { useEffect, useState } from 'react'

/** Delay after which a typed query applies. */
const settleMs = 250

/** Typed text; the query follows after a pause, unless it holds a secret. */
export function useDraft(query: string, onQuery: (query: string) => void) {
  const [draft, setDraft] = useState(query)
  const [taken, setTaken] = useState(query)
  // Changed by a button or by going back.
  if (query !== taken) {
    setTaken(query)
    setDraft(query)
  }
  const isSecret = holdsSecret(draft)
  useEffect(() => {
    if (draft === query || isSecret) return undefined
    const timer = setTimeout(() => {
      setTaken(draft)
      onQuery(draft)
    }, settleMs)
    return () => clearTimeout(timer)
  }, [draft, query, isSecret, onQuery])
  return { draft, setDraft, isSecret }
}

/** Tells whether a text contains a Hub token or a JWT, which must not be in a URL. */
export function holdsSecret(text: string): boolean {
  return /\bhf_\w{8,}/.test(text) || /\beyJ[\w-]{8,}/.test(text)
}
