/** A file that a stranger sent: it runs nothing, and a frame shows it only if `isInline`. */
export function strangersFile(file: Response, isInline: boolean): Response {
  const headers = new Headers({
    'Content-Type': file.headers.get('content-type') ?? 'application/octet-stream',
    'Content-Security-Policy':
      "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    'Cache-Control': 'private, no-store',
    'Content-Disposition': isInline ? 'inline' : (file.headers.get('content-disposition') ?? 'attachment'),
  });
  return new Response(file.body, { headers });
}
