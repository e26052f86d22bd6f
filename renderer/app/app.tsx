import { Part } from '../ui/part.tsx'
import { Providers } from './providers.tsx'
import { Pages } from './pages.tsx'
import { Shell } from './shell.tsx'

export function App() {
  return (
    <Part>
      <Providers>
        <Shell>
          <Pages />
        </Shell>
      </Providers>
    </Part>
  )
}
