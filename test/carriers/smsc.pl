# An SMSC on Perl's Net::SMPP (Debian: libnet-smpp-perl): `perl smsc.pl <port> <system id> <password>`.
#
# It accepts every text after a few milliseconds, joins the parts of long texts, and sends a receipt for each part, repeated
# until msgd acknowledges it. For each part that it accepts, it prints a line of JSON, which includes the whole text if the
# part completes it. Each line that it reads is a text from a phone: `<from> <to> <words>`.

use strict;
use warnings;
use Encode qw(decode);
use IO::Select;
use JSON::PP;
use Net::SMPP;
use Time::HiRes qw(sleep time);

my ($port, $system_id, $password) = @ARGV;
my $ANSWER_SECONDS = 0.004;
my $RETELL_SECONDS = 2;
my ($RECEIPT, $UDH_INDICATOR, $DELIVERED) = (4, 0x40, 2);
my %NUMBER = (source_addr_ton => 1, source_addr_npi => 1, dest_addr_ton => 1, dest_addr_npi => 1);

my $listener = Net::SMPP->new_listen('127.0.0.1', port => $port, smpp_version => 0x34, interface_version => 0x34)
  or die "it cannot listen on port $port: $!\n";
my $reading = IO::Select->new($listener, \*STDIN);
# the bound session, and the unacknowledged deliver_sm PDUs by sequence number
my ($bound, %unheard);
my ($ids, $sequence, $last_told) = (0, 0, time);
my %parts;
local $SIG{PIPE} = 'IGNORE';
# a session may end without unbinding
local $SIG{__WARN__} = sub { warn @_ unless $_[0] =~ /^premature eof/ };
$| = 1;

while (1) {
    for my $ready ($reading->can_read($RETELL_SECONDS)) {
        if    ($ready == $listener)       { $reading->add($listener->accept) }
        elsif ($ready == \*STDIN)         { hear_phone() }
        elsif (my $pdu = $ready->read_pdu) { answer($ready, $pdu) }
        else                              { leave($ready) }
    }
    deliver_unheard() if time - $last_told > $RETELL_SECONDS;
}

sub answer {
    my ($session, $pdu) = @_;
    my ($command, $seq) = ($pdu->{cmd}, $pdu->{seq});
    if ($command == Net::SMPP::CMD_bind_transceiver) {
        my $is_known = $pdu->{system_id} eq $system_id && $pdu->{password} eq $password;
        $session->bind_transceiver_resp(system_id => 'smsc', seq => $seq, status => $is_known ? 0 : 0x0e);
        return unless $is_known;
        $bound = $session;
        deliver_unheard();
    }
    elsif ($command == Net::SMPP::CMD_submit_sm) { take($session, $pdu) }
    elsif ($command == Net::SMPP::CMD_enquire_link) { $session->enquire_link_resp(seq => $seq) }
    elsif ($command == Net::SMPP::CMD_deliver_sm_resp) { delete $unheard{$seq} if $pdu->{status} == 0 }
    elsif ($command == Net::SMPP::CMD_unbind) { $session->unbind_resp(seq => $seq); leave($session) }
}

sub leave {
    my ($session) = @_;
    $bound = undef if defined $bound && $bound == $session;
    $reading->remove($session);
    close $session;
}

sub take {
    my ($session, $pdu) = @_;
    sleep $ANSWER_SECONDS;
    my $id = sprintf '%08X', ++$ids;
    note($pdu);
    $session->submit_sm_resp(message_id => $id, seq => $pdu->{seq});
    my $said = "id:$id sub:001 dlvrd:001 submit date:2603011200 done date:2603011201 stat:DELIVRD err:000 text:";
    # alternates between receipts in the text and receipts in parameters only
    my %words = $ids % 2 ? (short_message => $said)
                         : (short_message => '', receipted_message_id => "$id\0", message_state => chr $DELIVERED);
    deliver(%NUMBER, source_addr => $pdu->{destination_addr}, destination_addr => $pdu->{source_addr},
        esm_class => $RECEIPT, %words);
}

# Prints the part, and the whole text if the part completes it.
sub note {
    my ($pdu) = @_;
    my $to = $pdu->{destination_addr};
    my $octets = $pdu->{short_message};
    my ($reference, $total, $place) = (0, 1, 1);
    if ($pdu->{esm_class} & $UDH_INDICATOR) {
        my $length = ord $octets;
        # one information element: its kind, its length, and three octets
        ($reference, $total, $place) = (unpack 'C6', $octets)[3 .. 5];
        $octets = substr $octets, $length + 1;
    }
    my $known = $parts{"$to $reference $total"} //= {};
    $known->{$place} = $octets;
    my %line = (to => "+$to", part => "$reference $place/$total");
    if (keys %$known == $total) {
        my $joined = join '', map { $known->{$_} } 1 .. $total;
        $line{text} = decode($pdu->{data_coding} == 8 ? 'UTF-16BE' : 'gsm0338', $joined);
    }
    print encode_json(\%line), "\n";
}

sub hear_phone {
    my $line = <STDIN>;
    exit 0 unless defined $line;
    my ($from, $to, $words) = $line =~ /^\+(\d+) \+(\d+) (.*)$/ or return;
    deliver(%NUMBER, source_addr => $from, destination_addr => $to, short_message => $words);
}

sub deliver {
    my $seq = ++$sequence;
    $unheard{$seq} = [@_];
    deliver_once($seq);
}

sub deliver_unheard {
    $last_told = time;
    deliver_once($_) for sort { $a <=> $b } keys %unheard;
}

sub deliver_once {
    my ($seq) = @_;
    $bound->deliver_sm(@{ $unheard{$seq} }, seq => $seq, async => 1) if defined $bound;
}
