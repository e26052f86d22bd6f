import type { ReactNode } from 'react'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { leftOutLines } from '../../server/contract/left-out.ts'
import { readAt } from '../api/client.ts'
import { formatBytes } from '../lib/format.ts'
import { saveFile } from '../lib/save-file.ts'
import { buttonClass } from '../ui/button.tsx'
import { notifyFailure, notifyRemarks, notifyUnderWay } from '../ui/toast.tsx'

interface ExportLinkProps {
  href: string
  /** Name of the file. */
  name: string
  size?: Parameters<typeof buttonClass>[1]
  children: ReactNode
}

/** Link that saves a fixtures file and reports what it leaves out. A link, so that its URL can be copied. */
export function ExportLink({ href, name, size = 'medium', children }: ExportLinkProps) {
  return (
    <a
      href={href}
      download={name}
      className={buttonClass('plain', size)}
      onClick={(event) => {
        event.preventDefault()
        saveExport(href, name)
      }}
    >
      {children}
    </a>
  )
}

/** Number of repos that fit in a narrow toast. */
const mostRepos = 2

/** URLs being read: pressing a link again has no effect. */
const underWay = new Set<string>()

/**
 * {@link ExportLink} for elements that are not links. Saves the response it reports on, because a second one may
 * differ.
 */
export function saveExport(href: string, name: string): void {
  if (underWay.has(href)) return
  underWay.add(href)
  const notice = notifyUnderWay(`Exporting ${name}…`)
  const end = () => {
    underWay.delete(href)
    notice.end()
  }
  readAt(href, (received, all) => notice.update(howFar(received, all))).then(
    ({ text, answer }) => {
      end()
      saveFile(name, new Blob([text], { type: 'application/json' }))
      const lines = leftOutLines(answer as FixturesFile, mostRepos)
      if (lines.length > 0) notifyRemarks(`${name} is not complete`, lines)
    },
    (error: unknown) => {
      end()
      notifyFailure('Could not export the state', error)
    },
  )
}

function howFar(received: number, all: number | undefined): string {
  return all === undefined
    ? formatBytes(received)
    : `${formatBytes(received)} of ${formatBytes(all)}`
}
