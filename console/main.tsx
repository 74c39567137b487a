import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './letters.css'
import './style.css'
import { Box, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './api/queries.ts'
import { whoQuery } from './api/session.ts'
import { router } from './routes.tsx'
import { startTexts } from './texts/index.ts'
import { theme, variables } from './theme.ts'
import { Failure } from './ui/Failure.tsx'
import { lazyPart } from './ui/lazy-part.tsx'

// Loaded after the page, because there are no messages before it.
const Messages = lazyPart(() => import('./ui/Messages.tsx'), 'Messages', 'in a notice')

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// The library that injects the style sheets of dialogs reads its nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce })
const root = document.getElementById('root')

// Everything that the first page needs is requested at once.
void queries.prefetchQuery(whoQuery)
if (location.pathname.includes('/inbox')) import('./pages/inbox/InboxPage.tsx').catch(() => {})
const failure = await startTexts().catch((error: unknown) => error)
if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          {failure === undefined ? (
            <RouterProvider router={router} />
          ) : (
            <Box component="main" p="md" maw={640}>
              <Failure error={failure} onRetry={() => location.reload()} />
            </Box>
          )}
          <Suspense>
            <Messages />
          </Suspense>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
if (import.meta.env.PROD)
  // Pages outside a secure context have no service worker.
  navigator.serviceWorker?.register('/console/service-worker.js', { scope: '/console' }).catch(() => {})
