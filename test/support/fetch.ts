/** The client of the API that every browser has. What goes over the wire is held against the description, but for streams of events. */
import { undescribed } from './described.ts';

/** As `fetch`; rejects also when the description knows no such exchange. */
export async function fetchDescribed(asked: Request | string, init?: RequestInit): Promise<Response> {
  const request = new Request(asked, init);
  const { method, url } = request;
  const body = await request.clone().text();
  // Not the request's own signal: that follows this one only until the request is collected.
  const response = await fetch(request, init?.signal ? { signal: init.signal } : undefined);
  const { status, headers } = response;
  if (headers.get('content-type')?.startsWith('text/event-stream')) return response;
  const { pathname, search } = new URL(url);
  const text = await response.clone().text();
  const exchange = { method, target: pathname + search, body, status, headers: Object.fromEntries(headers), text };
  const fault = undescribed(exchange);
  if (fault !== undefined) throw new Error(fault);
  return response;
}
