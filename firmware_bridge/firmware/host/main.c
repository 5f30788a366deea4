/*
 * A reader with Betline's firmware in simulation, on a pseudo-terminal or on standard input and
 * output. The core is the one that the boards run; the tags come from a file with a line for
 * each: UID [ANTENNA [RSSI]], which may be changed while the program runs.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "bl_device.h"

enum {
    DONE = 0,
    FAILED = 1,
    WRONG_USAGE = 2,
    LINE_BYTES = 256,
    WAITING_FRAMES = 64,
    USUAL_RSSI = 128,
};

static const char USAGE[] =
    "usage: betline-reader [--tags FILE] [--antennas N] [--seat N] [--serial TEXT] [--stdio]\n"
    "FILE has a tag a line: UID (16 hex digits), then, if wanted, its antenna and its strength.\n";

typedef struct {
    uint8_t uid[BL_ISO15693_UID_BYTES];
    uint8_t antenna;
    uint8_t rssi;
} placed_tag;

typedef struct {
    uint64_t at_us;
    size_t len;
    uint8_t data[BL_MAX_FRAME];
} waiting_frame;

typedef struct {
    const char *tags_file;
    struct timespec tags_changed;
    placed_tag tags[SIM_MAX_TAGS];
    size_t tag_count;
    waiting_frame waiting[WAITING_FRAMES];
    size_t first_waiting;
    size_t waiting_count;
    bl_device device;
} program;

static program self;

static uint64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static bool read_number(const char *text, unsigned long least, unsigned long most, uint8_t *number)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < least || value > most) {
        return false;
    }
    *number = (uint8_t)value;
    return true;
}

static bool read_uid(const char *text, uint8_t *uid)
{
    if (strlen(text) != 2u * BL_ISO15693_UID_BYTES ||
        strspn(text, "0123456789abcdefABCDEF") != strlen(text)) {
        return false;
    }
    for (size_t i = 0; i < BL_ISO15693_UID_BYTES; i++) {
        char digits[3] = {text[2 * i], text[2 * i + 1], '\0'};
        uid[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return true;
}

/* A line of the file of tags. False when it is none; an empty one counts for nothing. */
static bool read_line(char *line, placed_tag *tag, bool *empty)
{
    line[strcspn(line, "#\r\n")] = '\0';
    char *uid = strtok(line, " \t");
    char *antenna = strtok(NULL, " \t");
    char *rssi = strtok(NULL, " \t");
    tag->antenna = 1;
    tag->rssi = USUAL_RSSI;
    *empty = uid == NULL;
    return *empty || (read_uid(uid, tag->uid) &&
                      (antenna == NULL || read_number(antenna, 1, BL_MAX_ANTENNAS, &tag->antenna)) &&
                      (rssi == NULL || read_number(rssi, 0, 255, &tag->rssi)) &&
                      strtok(NULL, " \t") == NULL);
}

static bool read_tags(void)
{
    char line[LINE_BYTES];
    FILE *file = fopen(self.tags_file, "r");
    if (file == NULL) {
        fprintf(stderr, "%s cannot be read (%s): name a file with a tag a line\n", self.tags_file,
                strerror(errno));
        return false;
    }
    bool good = true;
    size_t count = 0;
    for (int number = 1; good && fgets(line, sizeof line, file) != NULL; number++) {
        bool empty = false;
        if (count == SIM_MAX_TAGS || !read_line(line, &self.tags[count], &empty)) {
            fprintf(stderr, "%s, line %d: write UID (16 hex digits), antenna (1 to 8), strength (0 to 255); %u tags at most\n",
                    self.tags_file, number, SIM_MAX_TAGS);
            good = false;
        }
        count += good && !empty;
    }
    fclose(file);
    self.tag_count = good ? count : 0;
    return good;
}

static void refresh_tags(void)
{
    struct stat status;
    if (self.tags_file == NULL || stat(self.tags_file, &status) != 0) {
        return;
    }
    if (status.st_mtim.tv_sec != self.tags_changed.tv_sec ||
        status.st_mtim.tv_nsec != self.tags_changed.tv_nsec) {
        self.tags_changed = status.st_mtim;
        (void)read_tags();
    }
}

static size_t tags_on(void *ctx, uint8_t antenna, uint8_t *uids, uint8_t *rssi, size_t cap,
                      bool *disturbed)
{
    size_t count = 0;
    (void)ctx;
    (void)disturbed;
    refresh_tags();
    for (size_t i = 0; i < self.tag_count && count < cap; i++) {
        if (self.tags[i].antenna == antenna) {
            memcpy(uids + count * BL_ISO15693_UID_BYTES, self.tags[i].uid, BL_ISO15693_UID_BYTES);
            rssi[count++] = self.tags[i].rssi;
        }
    }
    return count;
}

/* A frame waits for its time; a host that takes nothing loses the newest. */
static void said(void *ctx, uint64_t at_us, const uint8_t *data, size_t len)
{
    (void)ctx;
    if (self.waiting_count == WAITING_FRAMES) {
        return;
    }
    waiting_frame *frame =
        &self.waiting[(self.first_waiting + self.waiting_count++) % WAITING_FRAMES];
    frame->at_us = at_us;
    frame->len = len;
    memcpy(frame->data, data, len);
}

static bool write_due(int out)
{
    while (self.waiting_count != 0 && self.waiting[self.first_waiting].at_us <= now_us()) {
        const waiting_frame *frame = &self.waiting[self.first_waiting];
        if (write(out, frame->data, frame->len) < 0 && errno != EAGAIN) {
            return false;
        }
        self.first_waiting = (self.first_waiting + 1) % WAITING_FRAMES;
        self.waiting_count--;
    }
    return true;
}

static int wait_ms(void)
{
    uint64_t next_us = bl_device_next_us(&self.device);
    if (self.waiting_count != 0 && self.waiting[self.first_waiting].at_us < next_us) {
        next_us = self.waiting[self.first_waiting].at_us;
    }
    uint64_t now = now_us();
    return next_us <= now ? 0 : (int)((next_us - now + 999) / 1000);
}

static int serve(int in, int out)
{
    uint8_t data[512];
    struct pollfd host = {.fd = in, .events = POLLIN};
    for (;;) {
        if (poll(&host, 1, wait_ms()) < 0 && errno != EINTR) {
            return FAILED;
        }
        if (host.revents != 0) {
            ssize_t got = read(in, data, sizeof data);
            if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
                return DONE;
            }
            if (got > 0) {
                bl_device_receive(&self.device, data, (size_t)got, now_us());
            }
        }
        bl_device_speak(&self.device, now_us());
        if (!write_due(out)) {
            return DONE;
        }
    }
}

/* A terminal in raw mode, with its far end kept open: else it hangs up with each host. */
static int open_terminal(void)
{
    struct termios raw;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        return -1;
    }
    const char *path = ptsname(master);
    int slave = path == NULL ? -1 : open(path, O_RDWR | O_NOCTTY);
    if (slave < 0 || tcgetattr(slave, &raw) != 0) {
        return -1;
    }
    cfmakeraw(&raw);
    if (tcsetattr(slave, TCSANOW, &raw) != 0 || fcntl(master, F_SETFL, O_NONBLOCK) != 0) {
        return -1;
    }
    printf("%s\n", path);
    fflush(stdout);
    return master;
}

static uint32_t random_number(void)
{
    uint32_t number = (uint32_t)now_us() ^ (uint32_t)getpid() << 16;
    FILE *source = fopen("/dev/urandom", "rb");
    if (source != NULL) {
        (void)!fread(&number, sizeof number, 1, source);
        fclose(source);
    }
    return number;
}

static bool read_arguments(int count, char **words, bl_device_setup *setup, bool *stdio)
{
    for (int i = 1; i < count; i++) {
        const char *value = i + 1 < count ? words[i + 1] : NULL;
        if (strcmp(words[i], "--stdio") == 0) {
            *stdio = true;
            continue;
        }
        if (value == NULL) {
            return false;
        }
        if (strcmp(words[i], "--tags") == 0) {
            self.tags_file = value;
        } else if (strcmp(words[i], "--serial") == 0 && strlen(value) <= BL_SERIAL_BYTES) {
            setup->serial = value;
        } else if (strcmp(words[i], "--antennas") == 0) {
            if (!read_number(value, 1, BL_MAX_ANTENNAS, &setup->antennas)) {
                return false;
            }
        } else if (strcmp(words[i], "--seat") == 0) {
            if (!read_number(value, 0, 255, &setup->seat)) {
                return false;
            }
        } else {
            return false;
        }
        i++;
    }
    return true;
}

int main(int count, char **words)
{
    bl_device_setup setup = {
        .antennas = 1,
        .air_permille = 1000,
        .serial = "HOST",
        .tags = tags_on,
        .said = said,
    };
    bool stdio = false;
    struct stat status;
    if (!read_arguments(count, words, &setup, &stdio)) {
        fputs(USAGE, stderr);
        return WRONG_USAGE;
    }
    if (self.tags_file != NULL) {
        if (!read_tags()) {
            return FAILED;
        }
        self.tags_changed = stat(self.tags_file, &status) == 0 ? status.st_mtim : self.tags_changed;
    }
    int master = stdio ? STDOUT_FILENO : open_terminal();
    if (master < 0) {
        fprintf(stderr, "no pseudo-terminal is to be had (%s): use --stdio\n", strerror(errno));
        return FAILED;
    }
    bl_device_power_on(&self.device, &setup, random_number(), now_us());
    return serve(stdio ? STDIN_FILENO : master, master);
}
