/**
 * Whether a node is reached at the address that it gives to others. A node that starts asks its peers, in a request that is signed as any between
 * nodes; each of them connects to that address and says who answers there.
 *
 *     GET /mapwright-peer-reach?url=http%3A%2F%2F10.0.0.5%3A8070
 *     200 {"node":"<uuid>"} or {"error":"connect ECONNREFUSED 10.0.0.5:8070"}
 */
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Introduction, type PeerSignature, peerHeader, randomText } from './peer-signature.ts';

const reachPath = '/mapwright-peer-reach';

/** Milliseconds for the answer of a process that introduces itself, and for the answer of a peer that waits for such an answer. */
const introductionMs = 1_500;
const reachMs = 2 * introductionMs;
/** Longer answers are not read. */
const answerBytesMax = 4_096;

/** What a peer found at an address: the node that answers there, or why none does. */
export interface Reached {
  readonly node?: string;
  readonly error?: string;
}

export const isReachQuestion = (target: string): boolean => target.startsWith(`${reachPath}?`);

/** Answers a peer that asks whether this node reaches it. The signature of the request is verified. */
export async function answerReachQuestion(req: IncomingMessage, res: ServerResponse, signature: PeerSignature): Promise<void> {
  const url = new URLSearchParams((req.url ?? '').slice(reachPath.length + 1)).get('url') ?? '';
  res.on('error', () => undefined);
  const reached: Reached = await introductionAt(url, signature).then(
    ({ nodeId }) => ({ node: nodeId }),
    (error: Error) => ({ error: error.message }),
  );
  res.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(JSON.stringify(reached));
}

/** Asks a peer what it finds at an address; `undefined` if it does not answer that question. */
export async function askPeer(peer: string, address: string, signature: PeerSignature): Promise<Reached | undefined> {
  try {
    const { nonce } = await introductionAt(peer, signature);
    const target = `${reachPath}?url=${encodeURIComponent(address)}`;
    const parts = { shard: 0, method: 'GET', target, credentials: '', forwardedFor: '' };
    const { status, text } = await get(new URL(target, peer), signature.sign(nonce, parts), reachMs);
    return status === 200 ? (JSON.parse(text) as Reached) : undefined;
  } catch {
    return undefined;
  }
}

/** Which node of this cluster answers at a URL. Rejects if none does. */
export async function introductionAt(url: string, signature: PeerSignature): Promise<Introduction> {
  const challenge = randomText();
  const { headers } = await get(new URL(url), challenge, introductionMs);
  const introduced = signature.introductionIn(String(headers[peerHeader] ?? ''), challenge);
  if (introduced === undefined) throw new Error(`what answers at ${url} is no node of this cluster`);
  return introduced;
}

function get(
  url: URL,
  header: string,
  timeout: number,
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers: { [peerHeader]: header }, agent: false }, (response) => {
      const { statusCode: status, headers } = response;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        if (text.length > answerBytesMax) request.destroy(new Error(`the answer of ${url.origin} is too long`));
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status, headers, text }));
    });
    const timer = setTimeout(() => request.destroy(new Error(`no answer from ${url.origin} within ${timeout} ms`)), timeout);
    request.on('error', reject);
    request.on('close', () => clearTimeout(timer));
  });
}
